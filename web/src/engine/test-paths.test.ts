import { expect, test } from "vitest";
import { isExamplePath, isTestPath } from "./test-paths.ts";

test("tests are known by their folders and names", () => {
  for (const path of ["src/test/a.ts", "a_test.go", "cart.test.ts", "cart.spec.tsx", "easysync_tests.js", "test_cart.py", "CartTest.java", "Shop.Tests/Cart.cs"]) expect(isTestPath(path)).toBe(true);
  for (const path of ["src/latest.ts", "src/contest/a.ts", "attests.js", "src/testimony.py"]) expect(isTestPath(path)).toBe(false);
});

test("examples are known by their folders, stories by their names", () => {
  for (const path of ["examples/a.go", "pkg/_example/main.go", "src/List.stories.tsx", "src/stories/List.tsx"]) expect(isExamplePath(path)).toBe(true);
  for (const path of ["src/stories.ts", "src/histories/a.ts", "src/example.ts"]) expect(isExamplePath(path)).toBe(false);
});
