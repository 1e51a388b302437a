/** A console for Cypher, with what there is to ask for, what was asked, and the answer as a table, as a picture and on the map. */
import type { JSX, RefObject } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { LocalAnswer } from "../../engine/view/local.ts";
import { nodeRef } from "../answers.ts";
import type { QueryConsole } from "../code/console.ts";
import type { CypherSchema } from "../code/cypher-words.ts";
import { localScene } from "../graph/local-scene.ts";
import { useAnswer, useApp, useQuestion, useSelect } from "../hooks.ts";
import { AskError } from "../session.ts";
import { toldTo, type Told } from "../told.ts";
import { counted, duration } from "../words.ts";
import { Blank, Waiting } from "./blank.tsx";
import { Choice } from "./legend.tsx";
import { Picture, usePalette } from "./picture.tsx";
import { idsIn, Table } from "./table.tsx";

const KEY = "gitnexus.queries";
const KEPT = 20;
const FIRST = "MATCH (a)-[r:CodeRelation {type: 'CALLS'}]->(b)\nRETURN b.id, count(*) AS calls ORDER BY calls DESC LIMIT 20";
const NONE: ReadonlySet<string> = new Set();

type Rows = Extract<Told, { form: "table" }>;
type Result = { state: "none" } | { state: "running" } | { state: "error"; message: string } | { state: "ok"; told: Rows; ms: number };

export function QueryView(): JSX.Element {
  const { store, session } = useApp();
  const editor = useRef<QueryConsole>(null);
  const [result, setResult] = useState<Result>({ state: "none" });
  const [past, setPast] = useState(readPast);
  const answer = useAnswer(useQuestion("context", { focus: "schema" }), (value) => (value as { schema: CypherSchema }).schema, true);
  const schema = answer.state === "ok" ? answer.value : undefined;
  const run = (): void => {
    const text = editor.current?.text.trim() ?? "";
    if (text === "" || result.state === "running") return;
    store.dispatch({ type: "go", to: { query: text } });
    setResult({ state: "running" });
    const next = [text, ...past.filter((each) => each !== text)].slice(0, KEPT);
    setPast(next);
    keepPast(next);
    const started = performance.now();
    session.ask("cypher", { query: text }).then(
      (rows) => {
        const told = toldTo({ name: "cypher", answer: JSON.stringify(rows) });
        setResult(told.form === "table" ? { state: "ok", told, ms: performance.now() - started } : { state: "error", message: told.form === "text" ? told.text : "The answer has another form than a table." });
      },
      (why: unknown) => setResult({ state: "error", message: why instanceof AskError ? why.message : String(why) }),
    );
  };
  return (
    <div class="split console">
      <Schema schema={schema} past={past} editor={editor} />
      <div class="split-main query">
        <Editor editor={editor} schema={schema} onRun={run} />
        <div class="actions">
          <button type="button" class="button primary" onClick={run} aria-disabled={result.state === "running"}>{result.state === "running" ? "Running…" : "Run"}</button>
          <span class="muted"><kbd>Ctrl Enter</kbd> runs, <kbd>Ctrl Space</kbd> completes</span>
          <span class="spring" />
          <span class="muted" role="status">{result.state === "ok" ? `${counted(result.told.total, "row")} in ${duration(result.ms)}` : ""}</span>
        </div>
        {result.state === "error" && <p class="card-reason bad" role="alert">{result.message}</p>}
        {result.state === "ok" && <Answer told={result.told} />}
      </div>
    </div>
  );
}

function Editor({ editor, schema, onRun }: { editor: RefObject<QueryConsole>; schema: CypherSchema | undefined; onRun: () => void }): JSX.Element {
  const { store } = useApp();
  const host = useRef<HTMLDivElement>(null);
  const latest = useRef({ schema, onRun });
  latest.current = { schema, onRun };
  useEffect(() => {
    let wanted = true;
    void import("../code/console.ts").then(({ QueryConsole: Console }) => {
      if (!wanted || !host.current) return;
      editor.current = new Console(host.current, store.state.place.query || FIRST, "Cypher query", { onRun: () => latest.current.onRun(), schema: () => latest.current.schema });
    });
    return () => {
      wanted = false;
      editor.current?.dispose();
      editor.current = null;
    };
  }, []);
  const query = useSelect((s) => s.place.query);
  useEffect(() => {
    // The address leads to another query.
    if (query !== "" && editor.current && editor.current.text.trim() !== query) editor.current.text = query;
  }, [query]);
  return <div class="query-editor" ref={host} />;
}

function Schema({ schema, past, editor }: { schema: CypherSchema | undefined; past: readonly string[]; editor: RefObject<QueryConsole> }): JSX.Element {
  const chip = (label: string, title: string, text: string): JSX.Element => <button key={label} type="button" class="chip" title={title} onClick={() => editor.current?.insert(text)}>{label}</button>;
  const queries = (title: string, all: readonly { about: string; query: string }[]): JSX.Element | null => all.length === 0 ? null : (
    <>
      <h2>{title}</h2>
      <ul class="rows">{all.map(({ about, query }) => (
        <li key={query}><button type="button" class="row" title={query} onClick={() => { if (editor.current) editor.current.text = query; }}><span class="row-name ellipsis">{about}</span></button></li>
      ))}</ul>
    </>
  );
  return (
    <aside class="split-side" aria-label="Schema and history">
      <h2>Nodes</h2>
      <p class="inserts">{Object.entries(schema?.nodes ?? {}).filter(([, n]) => n > 0).map(([kind, n]) => chip(kind, counted(n, "node"), `(n:${kind})`))}</p>
      <h2>Relations</h2>
      <p class="inserts">{schema && Object.entries(schema.types).map(([type, { count: n }]) => chip(type, counted(n, "edge"), `-[:${schema.relation.name} {type: '${type}'}]->`))}</p>
      <h2>Properties</h2>
      <p class="inserts">{Object.entries(schema?.properties["symbols"] ?? {}).map(([name, about]) => chip(name, about, name))}</p>
      {queries("Examples", (schema?.examples ?? []).map(({ about, query }) => ({ about, query: query.replace(/ (?=WHERE |RETURN |ORDER BY )/gu, "\n") })))}
      {queries("Asked before", past.map((query) => ({ about: query, query })))}
    </aside>
  );
}

function Answer({ told }: { told: Rows }): JSX.Element {
  const { store } = useApp();
  const [as, setAs] = useState<"table" | "picture">("table");
  const ids = useMemo(() => idsIn(told.rows), [told]);
  return (
    <>
      {ids.length > 0 && (
        <div class="actions">
          <Choice name="answer-as" label="Show the answer as" value={as} options={[["table", "Table"], ["picture", "Picture"]]} onChange={setAs} />
          <button type="button" class="button small" onClick={() => {
            store.dispatch({ type: "engine", event: { type: "highlight", nodeIds: ids, color: "#f59e0b", agent: "Your query" }, at: Date.now() });
            store.dispatch({ type: "go", to: { view: "map", node: null } });
          }}>Show {counted(ids.length, "node")} on the map</button>
        </div>
      )}
      {as === "picture" && ids.length > 0 ? <AnswerPicture ids={ids} /> : <Table columns={told.columns} rows={told.rows} total={told.total} />}
    </>
  );
}

/** What the result names, with the relations in between: what leads to something stands at its left. */
function AnswerPicture({ ids }: { ids: readonly string[] }): JSX.Element {
  const { store } = useApp();
  const palette = usePalette();
  const answer = useAnswer(useQuestion("view_between", { ids }), (value) => value as LocalAnswer & { total: number }, true);
  const got = answer.state === "ok" ? answer.value : undefined;
  const scene = useMemo(() => got && localScene(got, palette, NONE), [got, palette]);
  if (!got || !scene) return answer.state === "error" ? <Blank title={answer.message} /> : <Waiting title="Drawing" />;
  return (
    <div class="query-picture">
      <Picture scene={scene} spotlight={false} label={`The result: ${counted(got.nodes.length, "node")}. Arrow keys walk along the relations.`}
        note={got.total > got.nodes.length ? `the first ${got.nodes.length} of ${counted(got.total, "node")}` : counted(got.total, "node")}
        onEnter={({ id }) => store.dispatch({ type: "go", to: { view: "read", node: nodeRef(id) ?? null } })} />
    </div>
  );
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
