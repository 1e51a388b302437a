const FOLDERS = new Set(["test", "tests", "__tests__", "__mocks__", "testing", "testdata", "spec", "specs", "e2e", "testutil", "testutils"]);
/** A project of tests, as C# names them: `Shop.Carts.Tests`. */
const PROJECT = /\.(?:\w*Tests?|Specs?)$/;
const NAMES = [
  /_test\.go$/,
  /[._-](tests?|spec|e2e|cy)\.(?:[cm]?[jt]sx?|vue|svelte)$/,
  /^(test_.*|.*_test|conftest)\.pyi?$/,
  /^(.*(Tests?|TestCase|IT)|Test\p{Lu}.*)\.java$/u,
  /Tests?\.cs$/,
  /^(test[_-].*|.*[_-](?:test|tests|unittest)|.*Tests?)\.(?:c|cc|cpp|cxx)$/,
  /(Test|TestCase|Cest)\.php$/,
  /^(test_.*|.*_(test|spec))\.rb$/,
  /^(?:tests?|.*_tests?)\.rs$/,
];

/** Whether a path looks like a test or what only tests use: by the habits of the languages and of their test runners. */
export function isTestPath(path: string): boolean {
  const parts = path.split("/");
  const name = parts.pop()!;
  return NAMES.some((pattern) => pattern.test(name)) || parts.some((folder) => FOLDERS.has(folder.toLowerCase()) || PROJECT.test(folder));
}

/** Programs that show how to use the code, or how fast it is. */
const EXAMPLES = /(?:^|\/)_?(?:examples?|samples?|demos?|docs|docs_src|fixtures|bench(?:es)?|benchmarks?|stories)\/|\.stories\.\w+$/;

/** Whether a path looks like a program that shows the code and is no part of it. */
export function isExamplePath(path: string): boolean {
  return EXAMPLES.test(path);
}
