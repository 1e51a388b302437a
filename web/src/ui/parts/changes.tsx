/** What is different since the load, by symbol, what it reaches and which tests to run. Goes along with every edit. */
import type { JSX } from "preact";
import { nodeRef } from "../answers.ts";
import { useAnswer, useApp, useQuestion, useSelect } from "../hooks.ts";
import { count, counted } from "../words.ts";
import { KindDot, place } from "./basics.tsx";
import { Blank, Waiting } from "./blank.tsx";
import { ChangeIcon } from "./icons.tsx";

interface CutList<T> {
  total: number;
  items: T[];
}

interface Diff {
  total: { added: number; modified: number; deleted: number };
  files: CutList<{ file: string; change: string; lines?: [number, number]; symbols?: { added?: CutList<{ id: string; line?: number }>; modified?: CutList<{ id: string; line?: number }>; removed?: CutList<string> } }>;
}

interface Tests {
  risk?: { score?: number };
  affected?: { depth: number; total: number; items: string[] }[];
  tests?: { groups?: { reason?: string; items?: string[] }[] };
}

export function ChangesView(): JSX.Element {
  const { store } = useApp();
  const answer = useAnswer(useQuestion("diff", { filter: "all" }), (value) => value as Diff, true);
  const repo = useSelect((s) => s.loaded?.context.repo ?? "");
  const followed = useSelect((s) => s.freshness !== null);
  const diff = answer.state === "ok" ? answer.value : undefined;
  const changed = diff?.files.items.filter(({ change }) => change !== "deleted").map(({ file }) => file) ?? [];
  const after = useAnswer(useQuestion("test_impact", changed.length === 0 ? null : { changedFiles: changed, maxDepth: 2, suggestTests: true }), (value) => value as Tests, true);
  if (answer.state === "error") return <Blank icon={<ChangeIcon />} title={followed ? "Changes are not known" : "Edits are not followed"}><p class="muted">{followed ? answer.message : `${repo} was picked or dropped here, and not given to the server with --repo. Load it again after an edit.`}</p></Blank>;
  if (!diff) return <Waiting title="Comparing" />;
  if (diff.files.items.length === 0) return <Blank icon={<ChangeIcon />} title="Nothing is different"><p class="muted">All is as it was when the repository was loaded. Edits appear here as they are saved.</p></Blank>;
  const open = (id: string): void => {
    const node = nodeRef(id);
    if (node) store.dispatch({ type: "go", to: { view: "read", node } });
  };
  const tests = after.state === "ok" ? after.value : undefined;
  const groups = tests?.tests?.groups ?? [];
  return (
    <div class="split">
      <aside class="split-side" aria-label="What the changes reach">
        <h2>Since the load</h2>
        <ul class="levels">
          <li><span>modified</span><b>{count(diff.total.modified)}</b></li>
          <li><span>added</span><b>{count(diff.total.added)}</b></li>
          <li><span>deleted</span><b>{count(diff.total.deleted)}</b></li>
          {tests?.risk?.score !== undefined && <li class="sum"><span>risk, of 100</span><b>{count(tests.risk.score)}</b></li>}
        </ul>
        {(tests?.affected ?? []).map(({ depth, total, items }) => (
          <section key={depth}>
            <h2>{counted(total, "file")} {depth} {depth === 1 ? "step" : "steps"} away</h2>
            <ul class="rows">{items.slice(0, 12).map((item) => <li key={item}><button type="button" class="row" title={item} onClick={() => open(`File:${item.replace(/: \d+$/u, "")}`)}><span class="row-name ellipsis from-end">{item.replace(/: \d+$/u, "")}</span></button></li>)}</ul>
          </section>
        ))}
      </aside>
      <div class="split-main read-list">
        {diff.files.items.map(({ file, change, symbols }) => (
          <section key={file}>
            <h3 class="mono"><span class={`change ${change}`}>{change}</span> {file}</h3>
            <div class="card-grid">
              {(["added", "modified"] as const).flatMap((sort) => (symbols?.[sort]?.items ?? []).map((item) => {
                const node = nodeRef(item);
                return node && (
                  <button key={node.id} type="button" class="symbol-card" onClick={() => open(node.id)}>
                    <span class="card-name"><KindDot kind={node.kind} /><b class="ellipsis">{node.name}</b><span class={`change ${sort}`}>{sort}</span></span>
                    <span class="card-place ellipsis from-end">{place(node)}</span>
                  </button>
                );
              }))}
            </div>
            {(symbols?.removed?.items.length ?? 0) > 0 && <p class="muted mono pad-small">gone: {symbols!.removed!.items.join(", ")}</p>}
          </section>
        ))}
        {groups.length > 0 && <h2>Tests to run</h2>}
        {groups.map(({ reason = "", items = [] }, i) => (
          <section key={i}>
            <h3>{reason}</h3>
            <ul class="rows">{items.map((item) => <li key={item}><button type="button" class="row" onClick={() => open(`File:${item.replace(/: .*$/u, "")}`)}><span class="row-name">{item}</span></button></li>)}</ul>
          </section>
        ))}
      </div>
    </div>
  );
}
