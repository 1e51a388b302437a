import cpp from "@vscode/tree-sitter-wasm/wasm/tree-sitter-cpp.wasm?url";
import csharp from "@vscode/tree-sitter-wasm/wasm/tree-sitter-c-sharp.wasm?url";
import go from "@vscode/tree-sitter-wasm/wasm/tree-sitter-go.wasm?url";
import java from "@vscode/tree-sitter-wasm/wasm/tree-sitter-java.wasm?url";
import php from "@vscode/tree-sitter-wasm/wasm/tree-sitter-php.wasm?url";
import python from "@vscode/tree-sitter-wasm/wasm/tree-sitter-python.wasm?url";
import ruby from "@vscode/tree-sitter-wasm/wasm/tree-sitter-ruby.wasm?url";
import rust from "@vscode/tree-sitter-wasm/wasm/tree-sitter-rust.wasm?url";
import tsx from "@vscode/tree-sitter-wasm/wasm/tree-sitter-tsx.wasm?url";
import typescript from "@vscode/tree-sitter-wasm/wasm/tree-sitter-typescript.wasm?url";
import c from "tree-sitter-c/tree-sitter-c.wasm?url";
import type { GrammarName } from "./language.ts";

/** Where the app has its grammars. A new language adds its own here. */
export const grammarUrls: Partial<Record<GrammarName, string>> = { c, cpp, "c-sharp": csharp, go, java, php, python, ruby, rust, tsx, typescript };
