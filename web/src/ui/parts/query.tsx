/** A console for Cypher, with what there is to ask for, what was asked, and the answer as a table and on the map. */
import type { JSX } from "preact";
import { useRef, useState } from "preact/hooks";
import { nodeRef } from "../answers.ts";
import { useAnswer, useApp, useQuestion, useSelect } from "../hooks.ts";
import { AskError } from "../session.ts";
import { toldTo, type Told } from "../told.ts";
import { count, counted, duration } from "../words.ts";

const KEY = "gitnexus.queries";
const KEPT = 20;
const FIRST = "MATCH (a)-[r:CodeRelation {type: 'CALLS'}]->(b)\nRETURN b.id, count(*) AS calls ORDER BY calls DESC LIMIT 20";

type Result = { state: "none" } | { state: "running" } | { state: "error"; message: string } | { state: "ok"; told: Extract<Told, { form: "table" }>; ms: number };

export function QueryView(): JSX.Element {
  const { store, session } = useApp();
  const query = useSelect((s) => s.place.query);
  const input = useRef<HTMLTextAreaElement>(null);
  const [result, setResult] = useState<Result>({ state: "none" });
  const [past, setPast] = useState(readPast);
  const figures = useAnswer(useQuestion("view_figures", {}), (value) => value as { kinds: Record<string, number>; types: Record<string, number> });
  const run = (): void => {
    const text = input.current?.value.trim() ?? "";
    if (text === "" || result.state === "running") return;
    store.dispatch({ type: "go", to: { query: text } });
    setResult({ state: "running" });
    const next = [text, ...past.filter((each) => each !== text)].slice(0, KEPT);
    setPast(next);
    keepPast(next);
    const started = performance.now();
    session.ask("cypher", { query: text }).then(
      (answer) => {
        const told = toldTo({ name: "cypher", answer: JSON.stringify(answer) });
        setResult(told.form === "table" ? { state: "ok", told, ms: performance.now() - started } : { state: "error", message: told.form === "text" ? told.text : "The answer has another form than a table." });
      },
      (why: unknown) => setResult({ state: "error", message: why instanceof AskError ? why.message : String(why) }),
    );
  };
  const insert = (text: string): void => {
    const { current } = input;
    if (!current) return;
    current.setRangeText(text, current.selectionStart, current.selectionEnd, "end");
    current.focus();
  };
  const words = figures.state === "ok" ? { kinds: Object.entries(figures.value.kinds), types: Object.entries(figures.value.types) } : { kinds: [], types: [] };
  const ids = result.state === "ok" ? [...new Set(result.told.rows.flat().flatMap((cell) => (typeof cell === "string" && isId(cell) ? [cell] : [])))] : [];
  return (
    <div class="split console">
      <aside class="split-side" aria-label="Schema and history">
        <h2>Nodes</h2>
        <p class="inserts">{words.kinds.map(([kind, n]) => <button key={kind} type="button" class="chip" title={counted(n, "node")} onClick={() => insert(`(n:${kind})`)}>{kind}</button>)}</p>
        <h2>Relations</h2>
        <p class="inserts">{words.types.map(([type, n]) => <button key={type} type="button" class="chip" title={counted(n, "edge")} onClick={() => insert(`-[:CodeRelation {type: '${type}'}]->`)}>{type}</button>)}</p>
        <h2>Properties</h2>
        <p class="muted mono">id, name, filePath, startLine, endLine; of a relation type, confidence</p>
        {past.length > 0 && <h2>Asked before</h2>}
        <ul class="rows">{past.map((text) => <li key={text}><button type="button" class="row" title={text} onClick={() => { if (input.current) input.current.value = text; }}><span class="row-name ellipsis">{text}</span></button></li>)}</ul>
      </aside>
      <div class="split-main query">
        <label class="visually-hidden" for="query">Cypher query</label>
        <textarea id="query" ref={input} class="mono" rows={5} spellcheck={false} defaultValue={query === "" ? FIRST : query}
          onKeyDown={(e) => {
            if (e.key !== "Enter" || !(e.ctrlKey || e.metaKey)) return;
            e.preventDefault();
            run();
          }} />
        <div class="actions">
          <button type="button" class="button primary" onClick={run} aria-disabled={result.state === "running"}>{result.state === "running" ? "Running…" : "Run"}</button>
          <kbd>Ctrl Enter</kbd>
          {ids.length > 0 && <button type="button" class="button" onClick={() => {
            store.dispatch({ type: "engine", event: { type: "highlight", nodeIds: ids, color: "#f59e0b", agent: "Your query" }, at: Date.now() });
            store.dispatch({ type: "go", to: { view: "map", node: null } });
          }}>Show {counted(ids.length, "node")} on the map</button>}
          <span class="muted" role="status">{result.state === "ok" ? `${counted(result.told.total, "row")} in ${duration(result.ms)}` : ""}</span>
        </div>
        {result.state === "error" && <p class="card-reason bad" role="alert">{result.message}</p>}
        {result.state === "ok" && <Table columns={result.told.columns} rows={result.told.rows} total={result.told.total} />}
      </div>
    </div>
  );
}

export function Table({ columns, rows, total }: { columns: readonly string[]; rows: readonly unknown[][]; total: number }): JSX.Element {
  const { store } = useApp();
  return (
    <div class="table-frame" tabIndex={0} role="region" aria-label="Result">
      <table class="result">
        <thead><tr>{columns.map((column, i) => <th key={i} scope="col">{column}</th>)}</tr></thead>
        <tbody>
          {rows.map((row, r) => (
            <tr key={r}>
              {row.map((cell, c) => {
                const ref = typeof cell === "string" && isId(cell) ? nodeRef(cell) : undefined;
                return <td key={c}>{ref ? <button type="button" class="as-link mono" onClick={() => store.dispatch({ type: "go", to: { view: "read", node: ref } })}>{String(cell)}</button> : typeof cell === "string" ? cell : JSON.stringify(cell)}</td>;
              })}
            </tr>
          ))}
        </tbody>
      </table>
      {rows.length < total && <p class="empty">{count(total - rows.length)} more rows are not shown.</p>}
    </div>
  );
}

function isId(text: string): boolean {
  return /^(?:File|Folder|Class|Interface|Struct|Enum|TypeAlias|Function|Method|Variable|Field|Route):.+/u.test(text);
}

function readPast(): string[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? "[]");
    return Array.isArray(kept) ? kept.filter((each) => typeof each === "string") : [];
  } catch {
    return [];
  }
}

function keepPast(past: readonly string[]): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(past));
  } catch {
    // Storage is full or forbidden: they last as long as the page.
  }
}
