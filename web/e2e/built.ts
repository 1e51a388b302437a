/** What e2e/setup.ts has built for all tests. */
import { resolve } from "node:path";

function given(name: string): string {
  const value = process.env[name];
  if (value === undefined) throw new Error("run the end-to-end tests by npm run e2e");
  return value;
}

/** Path of the server's binary, built with the race detector. */
export const binary = (): string => given("E2E_BINARY");
/** Folder of the pages in web/test, built as the app is. */
export const pagesFolder = (): string => given("E2E_PAGES");
/** Where those pages are served, with a slash at its end. */
export const pagesUrl = (): string => given("E2E_PAGES_URL");
/** This repository's root. */
export const root = resolve(import.meta.dirname, "../..");
/** The folder with a small repository in each language. */
export const samples = resolve(import.meta.dirname, "samples");
