// The suite's one module imports fs.globSync, which Node has since 22, for a command that is not run here.
import { register } from "node:module";

const script = (source) => "data:text/javascript," + encodeURIComponent(source);
const fs = script(`export * from "node:fs"; export { default } from "node:fs"; export const globSync = undefined;`);
register(script(`export const resolve = (name, context, next) =>
  name === "fs" ? { url: ${JSON.stringify(fs)}, shortCircuit: true } : next(name, context);`));
