/** Links that open a file at a line in an editor. */
import { strings } from "./strings.ts";

export const EDITORS = {
  none: { name: strings.settings.noEditor, link: undefined },
  vscode: { name: "VS Code", link: (path: string, line: number) => `vscode://file${path}:${line}` },
  cursor: { name: "Cursor", link: (path: string, line: number) => `cursor://file${path}:${line}` },
  zed: { name: "Zed", link: (path: string, line: number) => `zed://file${path}:${line}` },
  jetbrains: { name: "JetBrains", link: (path: string, line: number) => `idea://open?file=${path}&line=${line}` },
} as const;

export type EditorName = keyof typeof EDITORS;

/** Undefined when no editor is chosen, or the folder on disk is not known. */
export function editorLink(editor: EditorName, root: string, file: string, line: number): string | undefined {
  if (root === "") return undefined;
  const path = `${root.replaceAll("\\", "/").replace(/^(?=[A-Za-z]:)/u, "/").replace(/\/+$/u, "")}/${file}`;
  return EDITORS[editor].link?.(encodeURI(path), Math.max(1, line));
}
