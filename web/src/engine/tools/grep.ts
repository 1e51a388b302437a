import { compile, type ScanResult } from "../grep/scan.ts";
import { GrepRunner, runHere, type GrepQuery } from "../grep/runner.ts";
import type { FileStore } from "../codebase.ts";
import { ToolError, type Tool } from "../tools.ts";
import { flag, number, text } from "./arguments.ts";

let runner: GrepRunner | undefined;

async function run(files: FileStore, query: GrepQuery): Promise<ScanResult> {
  if (typeof Worker === "undefined") return runHere(files, query);
  runner ??= new GrepRunner(() => new Worker(new URL("../grep/grep.worker.ts", import.meta.url), { type: "module" }));
  return runner.run(files, query);
}

/** Lines that match, by path and line, each with what matched first in it. */
export const grep: Tool = async (args, { codebase, signal, deadline }) => {
  const pattern = text(args, "pattern");
  const caseSensitive = flag(args, "caseSensitive", false);
  check(pattern, caseSensitive);
  const { matches, total, files } = await run(codebase.files, {
    pattern, caseSensitive, maxResults: number(args, "maxResults", 50), signal, deadline,
  });
  return {
    matches, total, files,
    ...(total > matches.length ? { truncated: true } : {}),
    ...(total === 0 ? { searchedFiles: codebase.files.paths.length } : {}),
  };
};

function check(pattern: string, caseSensitive: boolean): void {
  try {
    compile(pattern, caseSensitive);
  } catch (error) {
    const words = error instanceof Error ? error.message : String(error);
    const advice = /\(\?[a-z]+\)/.test(pattern)
      ? "JavaScript has no inline flags such as (?i): use caseSensitive."
      : "To search for these characters themselves, escape them; details.literal is the escaped pattern.";
    throw new ToolError(`${words}. ${advice}`, { literal: pattern.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&") });
  }
}
