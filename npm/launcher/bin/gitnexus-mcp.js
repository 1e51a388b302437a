#!/usr/bin/env node
// Runs the binary of this platform, which npm installed as an optional dependency.
"use strict";
const { spawn } = require("node:child_process");

const name = `gitnexus-mcp-${process.platform}-${process.arch}`;
let binary;
try {
  binary = require.resolve(`${name}/bin/gitnexus-mcp${process.platform === "win32" ? ".exe" : ""}`);
} catch {
  console.error(
    `gitnexus-mcp: the package ${name} is not installed. Either there is none for this platform, ` +
      "or npm was told to leave out optional dependencies: install again without --omit=optional.",
  );
  process.exit(1);
}

const child = spawn(binary, process.argv.slice(2), { stdio: "inherit" });
child.on("error", (error) => {
  console.error(`gitnexus-mcp: ${binary} does not start: ${error.message}`);
  process.exit(1);
});
// The binary ends in order at a signal; the launcher then ends as it did.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
child.on("exit", (code, signal) => {
  if (signal === null) process.exit(code);
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
});
