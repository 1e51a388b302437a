// Writes down who called each function of a code base whose functions call `ranHere`: `node --require recorder.cjs`.
//
// RAN is a folder that gets a file for each process, RAN_ROOT the code base. A line has file and line of the function's name,
// file and line of the call, the name, and the name of the function that calls, if it has one. What a library or the language calls, as map does its callback, has no caller here,
// and neither has what runs after an await.
"use strict";
const fs = require("node:fs");
const path = require("node:path");

const { RAN, RAN_ROOT } = process.env;
const seen = new Set();

/** The frames of the function that calls `ranHere` and of its caller. */
function frames(prepare) {
  const { prepareStackTrace, stackTraceLimit } = Error;
  Error.stackTraceLimit = 2;
  if (prepare) Error.prepareStackTrace = prepare;
  const holder = {};
  Error.captureStackTrace(holder, globalThis.ranHere);
  const { stack } = holder;
  Error.prepareStackTrace = prepareStackTrace;
  Error.stackTraceLimit = stackTraceLimit;
  return stack;
}

globalThis.ranHere = function ranHere(callee) {
  const caller = frames((_, sites) => sites)[1];
  // While Node prepares a stack for a function of the code base, other stacks are texts.
  const file = caller?.getFileName?.();
  if (!file || caller.isNative() || caller.isAsync()) return;
  const key = `${callee}\t${file}:${caller.getLineNumber()}:${caller.getColumnNumber()}`;
  if (seen.has(key)) return;
  seen.add(key);
  // Where a source was compiled, Node's own form of the stack has the lines of the source.
  const at = /(?:file:\/\/)?(\/[^()]*):(\d+):\d+\)?$/.exec(String(frames()).split("\n")[2] ?? "");
  if (!at) return;
  const [calleeFile, line, name] = callee.split("\t");
  fs.appendFileSync(path.join(RAN, String(process.pid)), [path.join(RAN_ROOT, calleeFile), line, at[1], at[2], name, caller.getFunctionName() ?? ""].join("\t") + "\n");
};
