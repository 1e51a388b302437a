import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { TestProject } from "vitest/node";

declare module "vitest" {
  interface ProvidedContext {
    /** Path of the server's binary, built with the race detector. */
    binary: string;
    /** This repository's root. */
    root: string;
  }
}

/** Builds the server once for all end-to-end tests. */
export default function setup(project: TestProject): () => void {
  const root = resolve(import.meta.dirname, "../..");
  const dir = mkdtempSync(join(tmpdir(), "gitnexus-e2e-"));
  const binary = join(dir, "gitnexus-mcp");
  execFileSync("go", ["build", "-race", "-o", binary, "./cmd/gitnexus-mcp"], { cwd: root, stdio: "inherit" });
  project.provide("binary", binary);
  project.provide("root", root);
  return () => rmSync(dir, { recursive: true, force: true });
}
