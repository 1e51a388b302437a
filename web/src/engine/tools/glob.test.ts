import { expect, it } from "vitest";
import { pathFilter } from "./glob.ts";

const PATHS = ["main.go", "chi/mux.go", "chi/mux_test.go", "chi/middleware/logger.go", "web/a.ts", "web/b.tsx", "web/deep/c.ts"];

it.each([
  ["*.go", ["main.go", "chi/mux.go", "chi/mux_test.go", "chi/middleware/logger.go"]],
  ["chi/*.go", ["chi/mux.go", "chi/mux_test.go"]],
  ["chi/**/*.go", ["chi/mux.go", "chi/mux_test.go", "chi/middleware/logger.go"]],
  ["middleware", ["chi/middleware/logger.go"]],
  ["./web/", ["web/a.ts", "web/b.tsx", "web/deep/c.ts"]],
  ["web/*.{ts,tsx}", ["web/a.ts", "web/b.tsx"]],
  ["*.tsx, main.go", ["main.go", "web/b.tsx"]],
  ["!*.go", ["web/a.ts", "web/b.tsx", "web/deep/c.ts"]],
  ["chi, !*_test.go", ["chi/mux.go", "chi/middleware/logger.go"]],
  ["*.rs", []],
])("%s", (glob, paths) => {
  expect(PATHS.filter(pathFilter(glob))).toEqual(paths);
});
