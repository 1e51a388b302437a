/** Source with line numbers. Only the lines in sight are in the document, so a file of any length scrolls at once. */
import type { JSX } from "preact";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { tokenLines } from "../tokens.ts";
import type { Code } from "../answers.ts";

/** Pixels; the same as --code-line in tokens.css. */
const LINE = 19;
const BEYOND = 12;
/** Characters of a line that are shown: a minified bundle is one line of megabytes. */
const WIDEST = 2000;
/** Lines that are coloured; longer files stay plain. */
const COLOURED = 30_000;

export interface CodeViewProps {
  code: Code;
  /** 1-based line to bring into view; 0 for the top. */
  line: number;
  /** 1-based lines to mark, both inclusive. */
  marked: { start: number; end: number } | undefined;
}

export function CodeView({ code, line, marked }: CodeViewProps): JSX.Element {
  const scroller = useRef<HTMLDivElement>(null);
  const [seen, setSeen] = useState({ top: 0, height: 600 });
  const lines = useMemo(() => code.content.split("\n").map((text) => (text.length > WIDEST ? `${text.slice(0, WIDEST)} …` : text)), [code]);
  const tokens = useMemo(() => tokenLines(lines, lines.length <= COLOURED ? code.language : ""), [lines, code.language]);
  const widest = useMemo(() => lines.reduce((most, text) => Math.max(most, text.replace(/\t/g, "    ").length), 0), [lines]);

  useEffect(() => {
    const element = scroller.current;
    if (!element) return undefined;
    const measure = (): void => setSeen({ top: element.scrollTop, height: element.clientHeight });
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    element.addEventListener("scroll", measure, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener("scroll", measure);
    };
  }, []);
  useLayoutEffect(() => {
    // Some lines above stay in sight: a doc comment, decorators.
    if (scroller.current) scroller.current.scrollTop = line > 0 ? Math.max(0, (line - code.firstLine - 4) * LINE) : 0;
  }, [code, line]);

  const from = Math.max(0, Math.floor(seen.top / LINE) - BEYOND);
  const to = Math.min(lines.length, Math.ceil((seen.top + seen.height) / LINE) + BEYOND);
  const digits = String(code.firstLine + lines.length).length;
  return (
    <div class="code" ref={scroller} tabIndex={0} role="region" aria-label={`Code of ${code.file}`}>
      <div class="code-lines" style={{ height: `${lines.length * LINE}px`, minWidth: `calc(${widest + digits + 6}ch)` }}>
        {tokens.slice(from, to).map((parts, i) => {
          const number = code.firstLine + from + i;
          const inMark = marked !== undefined && number >= marked.start && number <= marked.end;
          return (
            <div key={number} class={`code-line${inMark ? " marked" : ""}${number === line ? " at" : ""}`} style={{ top: `${(from + i) * LINE}px` }}>
              <span class="code-number" style={{ width: `${digits + 2}ch` }} aria-hidden="true">{number}</span>
              <span class="code-text">{parts.map(({ kind, text }, t) => (kind === "plain" ? text : <span key={t} class={`t-${kind}`}>{text}</span>))}</span>
            </div>
          );
        })}
      </div>
    </div>
  );
}
