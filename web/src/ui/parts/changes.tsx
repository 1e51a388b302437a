/** What is different since the load or since a commit: by symbol and line, what it reaches, which tests to run. Goes along with every edit. */
import type { JSX } from "preact";
import { useRef } from "preact/hooks";
import { nodeRef } from "../answers.ts";
import { useAnswer, useApp, useQuestion, useSelect } from "../hooks.ts";
import { count, counted } from "../words.ts";
import { KindDot, place } from "./basics.tsx";
import { Blank, Waiting, Wrong } from "./blank.tsx";
import { ChangeIcon } from "./icons.tsx";
import { strings } from "../strings.ts";

interface CutList<T> {
  total: number;
  items: T[];
}

interface FileChange {
  file: string;
  change: string;
  renamedFrom?: string;
  symbols?: { added?: CutList<{ id: string; line?: number }>; modified?: CutList<{ id: string; line?: number }>; removed?: CutList<string> };
  hunks?: string;
  moreLines?: number;
}

interface Diff {
  since: string;
  total: { added: number; modified: number; deleted: number; renamed?: number };
  files: CutList<FileChange>;
}

interface Tests {
  risk?: { score?: number };
  affected?: { depth: number; total: number; items: string[] }[];
  tests?: { groups?: { reason?: string; items?: string[] }[] };
}

/** Files that are listed by their distance. */
const REACHED = 12;
const COUNTS = ["modified", "renamed", "added", "deleted"] as const;

export function ChangesView(): JSX.Element {
  const base = useSelect((s) => s.place.base);
  const answer = useAnswer(useQuestion("diff", { filter: "all", includeContent: true, ...(base === "" ? {} : { baseline: base }) }), (value) => value as Diff, true);
  const diff = answer.state === "ok" ? answer.value : undefined;
  const changed = diff?.files.items.filter(({ change }) => change !== "deleted").map(({ file }) => file) ?? [];
  const after = useAnswer(useQuestion("test_impact", changed.length === 0 ? null : { changedFiles: changed, maxDepth: 2, suggestTests: true }), (value) => value as Tests, true);
  const tests = changed.length > 0 && after.state === "ok" ? after.value : undefined;
  return (
    <div class="split">
      <aside class="split-side" aria-label={strings.changes.whatIsComparedAnd}>
        <Baseline key={base} base={base} />
        {diff && (
          <ul class="levels">
            {COUNTS.filter((each) => each !== "renamed" || diff.total.renamed !== undefined).map((each) => <li key={each}><span>{each}</span><b>{count(diff.total[each] ?? 0)}</b></li>)}
            {tests?.risk?.score !== undefined && <li class="sum"><span>{strings.changes.riskOf100}</span><b>{count(tests.risk.score)}</b></li>}
          </ul>
        )}
        {(tests?.affected ?? []).map((level) => <Reached key={level.depth} {...level} />)}
      </aside>
      <div class="split-main read-list">
        {answer.state === "error" ? <NotKnown base={base} message={answer.message} /> : diff ? <Files diff={diff} base={base} tests={tests} /> : <Waiting title={strings.changes.comparing} />}
      </div>
    </div>
  );
}

/** Against what the code is compared. */
function Baseline({ base }: { base: string }): JSX.Element {
  const { store } = useApp();
  const input = useRef<HTMLInputElement>(null);
  const go = (to: string): void => store.dispatch({ type: "go", to: { base: to } });
  return (
    <form class="baseline" onSubmit={(e) => {
      e.preventDefault();
      go(input.current?.value.trim() ?? "");
    }}>
      <h2>{base === "" ? strings.changes.sinceTheLoad : <>{strings.changes.since} <span class="mono">{base}</span></>}</h2>
      <label>
        <span class="muted">{strings.changes.compareWithACommit}</span>
        <input type="text" ref={input} defaultValue={base} placeholder={strings.changes.headMainV12} spellcheck={false} autocomplete="off" />
      </label>
      <div class="actions">
        <button type="submit" class="button small">{strings.changes.compare}</button>
        {base !== "" && <button type="button" class="button small quiet" onClick={() => go("")}>{strings.changes.sinceTheLoad}</button>}
      </div>
    </form>
  );
}

function NotKnown({ base, message }: { base: string; message: string }): JSX.Element {
  const repo = useSelect((s) => s.loaded?.context.repo ?? "");
  const followed = useSelect((s) => s.freshness !== null);
  if (base !== "") return <Wrong title={strings.changes.itCannotBeCompared} message={message} />;
  return (
    <Blank icon={<ChangeIcon />} title={followed ? strings.changes.changesAreNotKnown : strings.changes.editsAreNotFollowed}>
      <p class="muted">{followed ? message : strings.changes.wasPickedOrDropped(repo)}</p>
    </Blank>
  );
}

function useOpen(): (id: string) => void {
  const { store } = useApp();
  return (id) => {
    const node = nodeRef(id);
    if (node) store.dispatch({ type: "go", to: { view: "read", node } });
  };
}

function Reached({ depth, total, items }: { depth: number; total: number; items: readonly string[] }): JSX.Element {
  const open = useOpen();
  return (
    <section>
      <h2>{strings.changes.stepsAway(counted(total, "file"), counted(depth, "step"))}</h2>
      <ul class="rows">{items.slice(0, REACHED).map((item) => {
        const file = item.replace(/: \d+$/u, "");
        return <li key={item}><button type="button" class="row" title={item} onClick={() => open(`File:${file}`)}><span class="row-name ellipsis from-end">{file}</span></button></li>;
      })}</ul>
    </section>
  );
}

function Files({ diff, base, tests }: { diff: Diff; base: string; tests: Tests | undefined }): JSX.Element {
  const open = useOpen();
  const groups = tests?.tests?.groups ?? [];
  if (diff.files.items.length === 0) {
    return <Blank icon={<ChangeIcon />} title={strings.changes.nothingIsDifferent}><p class="muted">{base === "" ? strings.changes.allIsAsIt : strings.changes.allIsAsIn(diff.since)} {strings.changes.editsAppearHereAs}</p></Blank>;
  }
  return (
    <>
      {diff.files.items.map((each) => <FileSection key={each.file} {...each} />)}
      {diff.files.total > diff.files.items.length && <p class="empty">{strings.changes.moreFiles(diff.files.total - diff.files.items.length)}</p>}
      {groups.length > 0 && <h2>{strings.changes.testsToRun}</h2>}
      {groups.map(({ reason = "", items = [] }, i) => (
        <section key={i}>
          {reason !== "" && <h3>{reason}</h3>}
          <ul class="rows">{items.map((item) => <li key={item}><button type="button" class="row" onClick={() => open(`File:${item.replace(/: .*$/u, "")}`)}><span class="row-name">{item}</span></button></li>)}</ul>
        </section>
      ))}
    </>
  );
}

function FileSection({ file, change, renamedFrom, symbols, hunks, moreLines = 0 }: FileChange): JSX.Element {
  const open = useOpen();
  const removed = symbols?.removed?.items ?? [];
  return (
    <section>
      <h3 class="mono"><span class={`change ${change}`}>{change}</span> {renamedFrom !== undefined && <span class="muted">{renamedFrom} → </span>}{file}</h3>
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
      {removed.length > 0 && <p class="muted mono pad-small">{strings.changes.gone(removed.join(", "))}</p>}
      {hunks !== undefined && (
        <details class="hunks">
          <summary>{strings.changes.lines}</summary>
          <pre tabIndex={0} aria-label={strings.changes.changedLinesOf(file)}>{hunks.split("\n").map((line, i) => <span key={i} class={lineClass(line)}>{line === "" ? " " : line}{"\n"}</span>)}</pre>
          {moreLines > 0 && <p class="empty">{strings.changes.moreLines(moreLines)}</p>}
        </details>
      )}
    </section>
  );
}

function lineClass(line: string): string {
  return { "+": "plus", "-": "minus", "@": "at" }[line.charAt(0)] ?? "";
}
