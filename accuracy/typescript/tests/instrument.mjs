// Lets each named function of a code base tell who called it, in place, but for those of tests:
//   node instrument.mjs DIR
// recorder.cjs has what the functions call.
import fs from "node:fs";
import path from "node:path";
import { namedFunctions, parse, withStarts } from "./functions.mjs";

const [dir] = process.argv.slice(2);
if (!dir) throw new Error("usage: node instrument.mjs DIR");
for (const name of fs.readdirSync(dir, { recursive: true })) {
  const file = path.join(dir, name);
  const parts = name.split(path.sep);
  if (!/\.[cm]?[jt]sx?$/.test(name) || /\.d\.[cm]?ts$/.test(name) || parts.includes("node_modules") || !fs.statSync(file).isFile() || isTest(parts)) continue;
  const source = parse(file, fs.readFileSync(file, "utf8"));
  const told = (f) => `ranHere(${JSON.stringify([parts.join("/"), f.line, f.name].join("\t"))})`;
  fs.writeFileSync(file, withStarts(source, namedFunctions(source), told));
}

function isTest(parts) {
  return parts.slice(0, -1).some((folder) => ["test", "tests", "__tests__"].includes(folder)) || /\.(test|spec)\./.test(parts.at(-1));
}
