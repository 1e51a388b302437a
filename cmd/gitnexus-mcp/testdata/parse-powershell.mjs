// Fails where the script on stdin is not PowerShell by VS Code's grammar for it.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const require = createRequire(new URL("../../../web/package.json", import.meta.url));
const { Language, Parser } = require("web-tree-sitter");
await Parser.init();
const parser = new Parser();
parser.setLanguage(await Language.load(require.resolve("@vscode/tree-sitter-wasm/wasm/tree-sitter-powershell.wasm")));
const { rootNode } = parser.parse(readFileSync(0, "utf8"));
const wrong = rootNode.descendantsOfType("ERROR").map(({ startPosition: { row }, text }) => `line ${row + 1}: ${text}`);
if (rootNode.hasError) {
  console.error(wrong.join("\n") || "something is missing");
  process.exit(1);
}
