/** The code of a file. The editor is fetched when the first code is shown. */
import type { JSX, RefObject } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { FileAnswer } from "../../engine/view/symbol.ts";
import { nodeRef } from "../answers.ts";
import type { CodeEditor, Marked } from "../code/editor.ts";
import { useApp } from "../hooks.ts";
import { strings } from "../strings.ts";

export interface CodeViewProps {
  file: FileAnswer;
  /** 1-based line to bring into view; 0 for the top. */
  line: number;
  /** 1-based lines to mark, both inclusive. */
  marked: Marked | undefined;
  /** For what stands beside the code at the height of its lines. */
  editor?: RefObject<CodeEditor>;
  /** The code has been scrolled, or is another. */
  onMove?: () => void;
}

export function CodeView(props: CodeViewProps): JSX.Element {
  const { file, line, marked, editor } = props;
  const { store } = useApp();
  const host = useRef<HTMLDivElement>(null);
  const made = useRef<CodeEditor | null>(null);
  const latest = useRef(props);
  latest.current = props;
  const [ready, setReady] = useState(false);
  useEffect(() => {
    let wanted = true;
    void import("../code/editor.ts").then(({ CodeEditor: Editor }) => {
      if (!wanted || !host.current) return;
      const own = new Editor(host.current, {
        onLink: (id) => {
          const node = nodeRef(id);
          if (node) store.dispatch({ type: "select", node });
        },
        onScroll: () => latest.current.onMove?.(),
      }, latest.current.file, latest.current.line, latest.current.marked);
      made.current = own;
      if (editor) editor.current = own;
      setReady(true);
    });
    return () => {
      wanted = false;
      const { current } = made;
      // After the frame of what takes its place: it is off the page already, and its parts are many.
      setTimeout(() => current?.dispose());
      if (editor) editor.current = null;
    };
  }, []);
  useLayoutEffect(() => {
    if (!made.current) return;
    made.current.show(file, line, marked);
    latest.current.onMove?.();
  }, [ready, file, line, marked?.start, marked?.end]);
  return <div class="code" ref={host} role="region" aria-label={strings.code.codeOf(file.file)} />;
}
