// Lets a function throw at its start, in place:
//   node broken.mjs DIR FILE LINE NAME
import fs from "node:fs";
import path from "node:path";
import { namedFunctions, parse, withStarts } from "./functions.mjs";

const [dir, name, line, called] = process.argv.slice(2);
if (!called) throw new Error("usage: node broken.mjs DIR FILE LINE NAME");
const file = path.join(dir, name);
const source = parse(file, fs.readFileSync(file, "utf8"));
// Of overloads the last one has the body.
const functions = namedFunctions(source).filter((f) => f.name === called && f.line >= Number(line)).slice(0, 1);
if (functions.length === 0) throw new Error(`${name}:${line}: no function ${called} has a body`);
fs.writeFileSync(file, withStarts(source, functions, () => `(() => { throw new Error("broken"); })()`));
