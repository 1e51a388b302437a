/** A console for Cypher, with what there is to ask for, what was asked, and the answer as a table, as a picture and on the map. */
import type { JSX, RefObject } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { QueryConsole } from "../code/console.ts";
import type { CypherSchema } from "../code/cypher-words.ts";
import { useAnswer, useApp, useQuestion, useSealed, useSelect } from "../hooks.ts";
import { AskError } from "../session.ts";
import { toldTo, type Told } from "../told.ts";
import { counted, duration } from "../words.ts";
import { Choice } from "./legend.tsx";
import { Between } from "./between.tsx";
import { idsIn, Table } from "./table.tsx";
import { Sentence } from "./sentence.tsx";
import { strings } from "../strings.ts";

const KEPT = 20;
const FIRST = "MATCH (a)-[r:CodeRelation {type: 'CALLS'}]->(b)\nRETURN b.id, count(*) AS calls ORDER BY calls DESC LIMIT 20";

type Rows = Extract<Told, { form: "table" }>;
type Result = { state: "none" } | { state: "running" } | { state: "error"; message: string } | { state: "ok"; told: Rows; ms: number };

export function QueryView(): JSX.Element {
  const { store, session, memories: { queries } } = useApp();
  const editor = useRef<QueryConsole>(null);
  const [result, setResult] = useState<Result>({ state: "none" });
  const past = useSealed(queries);
  const answer = useAnswer(useQuestion("context", { focus: "schema" }), (value) => (value as { schema: CypherSchema }).schema, true);
  const schema = answer.state === "ok" ? answer.value : undefined;
  const run = (): void => {
    const text = editor.current?.text.trim() ?? "";
    if (text === "" || result.state === "running") return;
    store.dispatch({ type: "go", to: { query: text } });
    setResult({ state: "running" });
    queries.change((kept) => [text, ...kept.filter((each) => each !== text)].slice(0, KEPT));
    const started = performance.now();
    session.ask("cypher", { query: text }).then(
      (rows) => {
        const told = toldTo({ name: "cypher", answer: JSON.stringify(rows) });
        setResult(told.form === "table" ? { state: "ok", told, ms: performance.now() - started } : { state: "error", message: told.form === "text" ? told.text : strings.query.theAnswerHasAnother });
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
          <button type="button" class="button primary" onClick={run} aria-disabled={result.state === "running"}>{result.state === "running" ? strings.query.running : strings.query.run}</button>
          <span class="muted"><Sentence words={strings.query.keys} parts={{ run: <kbd>{strings.query.ctrlEnter}</kbd>, complete: <kbd>{strings.query.ctrlSpace}</kbd> }} /></span>
          <span class="spring" />
          <span class="muted" role="status">{result.state === "ok" ? strings.query.rowsIn(counted(result.told.total, "row"), duration(result.ms)) : ""}</span>
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
      editor.current = new Console(host.current, store.state.place.query || FIRST, strings.query.cypherQuery, { onRun: () => latest.current.onRun(), schema: () => latest.current.schema });
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
    <aside class="split-side" aria-label={strings.query.schemaAndHistory}>
      <h2>{strings.query.nodes}</h2>
      <p class="inserts">{Object.entries(schema?.nodes ?? {}).filter(([, n]) => n > 0).map(([kind, n]) => chip(kind, counted(n, "node"), `(n:${kind})`))}</p>
      <h2>{strings.query.relations}</h2>
      <p class="inserts">{schema && Object.entries(schema.types).map(([type, { count: n }]) => chip(type, counted(n, "edge"), `-[:${schema.relation.name} {type: '${type}'}]->`))}</p>
      <h2>{strings.query.properties}</h2>
      <p class="inserts">{Object.entries(schema?.properties["symbols"] ?? {}).map(([name, about]) => chip(name, about, name))}</p>
      {queries(strings.query.examples, (schema?.examples ?? []).map(({ about, query }) => ({ about, query: query.replace(/ (?=WHERE |RETURN |ORDER BY )/gu, "\n") })))}
      {queries(strings.query.askedBefore, past.map((query) => ({ about: query, query })))}
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
          <Choice name="answer-as" label={strings.query.showTheAnswerAs} value={as} options={[["table", strings.query.table], ["picture", strings.query.picture]]} onChange={setAs} />
          <button type="button" class="button small" onClick={() => {
            store.dispatch({ type: "engine", event: { type: "highlight", nodeIds: ids, color: "#f59e0b", agent: strings.query.yourQuery }, at: Date.now() });
            store.dispatch({ type: "go", to: { view: "map", node: null } });
          }}>{strings.query.showOnTheMap(counted(ids.length, "node"))}</button>
        </div>
      )}
      {as === "picture" && ids.length > 0 ? <Between ids={ids} label={strings.query.theResult} /> : <Table columns={told.columns} rows={told.rows} total={told.total} />}
    </>
  );
}
