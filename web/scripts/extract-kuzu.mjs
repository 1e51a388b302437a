/**
 * Cuts the graph database out of its package: node scripts/extract-kuzu.mjs [--out DIR]   (default web/build/kuzu)
 *
 * kuzu-wasm's single-thread build carries 11 MB of WebAssembly as base64 inside its script. Apart, the script has
 * 0.35 MB and the browser compiles the WebAssembly while it arrives. Writes kuzu.js, whose init() takes
 * Emscripten's module options, and kuzu.wasm. The same package gives the same bytes; files that are right are left alone.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

const root = resolve(fileURLToPath(import.meta.url), "../..");

/**
 * Every change that is made to the package's script. Each text must be there exactly once, so that another
 * version of the package is noticed here and not in a browser.
 * @type {[string, string][]}
 */
const CHANGES = [
  ["async init() {\n        this._kuzu = await kuzu_wasm();", "async init(options) {\n        this._kuzu = await kuzu_wasm(options);"],
  ["init: () => {\n        return KuzuWasm.init();", "init: (options) => {\n        return KuzuWasm.init(options);"],
  // Emscripten's glue makes functions from text, which the app's policy refuses: here the same as closures.
  ["return new Function(args1, invokerFnBody);", `
          return (humanName, throwBindingError, invoker, fn, runDestructors, fromRetWire, toClassParamWire, ...wires) => {
            const [checkArgCount, minArgs, maxArgs] = wires.slice(-3);
            return function (...args) {
              checkArgCount(args.length, minArgs, maxArgs, humanName, throwBindingError);
              const destructors = needsDestructorStack ? [] : null;
              const wired = isClassMethodFunc ? [toClassParamWire(destructors, this)] : [];
              const first = wired.length;
              for (let i = 0; i < argCount; i++) wired.push(wires[i](destructors, args[i]));
              const returned = invoker(fn, ...wired);
              if (destructors) runDestructors(destructors);
              else {
                for (let i = 0; i < wired.length; i++) {
                  const { destructorFunction } = argTypes[i + 2 - first];
                  if (destructorFunction !== null) destructorFunction(wired[i]);
                }
              }
              return returns ? fromRetWire(returned) : undefined;
            };
          };`],
  ["var invokerFunction = new Function(Object.keys(captures), functionBody)(...Object.values(captures));", `
          const call = {
            0: (values, handle) => Emval.toValue(handle)(...values),
            1: (values, handle, methodName) => Emval.toValue(handle)[getStringOrSymbol(methodName)](...values),
            2: (values, handle) => new (Emval.toValue(handle))(...values),
            3: (values) => values.at(-1),
          }[kind];
          var invokerFunction = function (handle, methodName, destructorsRef, args) {
            const result = call(argFromPtr.map((read, i) => read(args + i * GenericWireTypeSize)), handle, methodName);
            return retType.isVoid ? undefined : emval_returnValue(toReturnWire, destructorsRef, result);
          };`],
];

/**
 * Splits the package's script.
 * @param {string} source
 * @returns {{ script: string, wasm: Buffer }}
 */
export function extractKuzu(source) {
  // The line is found first: a regular expression over 15 MB of base64 overflows the stack.
  const start = source.indexOf('return base64Decode("');
  const end = source.indexOf('");', start);
  if (start < 0 || end < 0 || source.indexOf('return base64Decode("', end) >= 0) {
    throw new Error("kuzu-wasm/sync/index.js does not carry its WebAssembly where this script looks for it. Was the package updated?");
  }
  const wasm = Buffer.from(source.slice(start + 'return base64Decode("'.length, end), "base64");
  if (wasm.readUInt32LE(0) !== 0x6d736100) throw new Error("What kuzu-wasm/sync/index.js carries is not WebAssembly.");
  let script = `${source.slice(0, start)}throw new Error("init() needs the option instantiateWasm: the WebAssembly is in kuzu.wasm.");${source.slice(end + 3)}`;
  for (const [from, to] of CHANGES) {
    if (script.split(from).length !== 2) throw new Error(`kuzu-wasm/sync/index.js does not have this text exactly once: ${from}`);
    script = script.replace(from, () => to);
  }
  if (/new Function\(|\beval\(/.test(script)) throw new Error("kuzu-wasm/sync/index.js makes functions from text in a place that this script does not know.");
  return { script, wasm };
}

/**
 * @param {string} out
 */
export function writeKuzu(out) {
  const source = createRequire(import.meta.url).resolve("kuzu-wasm/sync");
  const { script, wasm } = extractKuzu(readFileSync(source, "utf8"));
  mkdirSync(out, { recursive: true });
  for (const [name, bytes] of /** @type {[string, Buffer][]} */ ([["kuzu.js", Buffer.from(script)], ["kuzu.wasm", wasm]])) {
    const file = join(out, name);
    if (!existsSync(file) || !readFileSync(file).equals(bytes)) writeFileSync(file, bytes);
  }
}

if (process.argv[1] && resolve(process.argv[1]) === fileURLToPath(import.meta.url)) {
  const { values } = parseArgs({ options: { out: { type: "string", default: join(root, "build/kuzu") } } });
  writeKuzu(resolve(values.out));
}
