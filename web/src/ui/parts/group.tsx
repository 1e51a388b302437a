/** The page of a folder or a cluster: its neighbours at the left, then where one gets in and what is in it. */
import type { JSX } from "preact";
import { useRef } from "preact/hooks";
import type { GroupAnswer } from "../../engine/view/group.ts";
import type { Card } from "../../engine/view/symbol.ts";
import { moveFocus, useAnswer, useApp, useQuestion } from "../hooks.ts";
import type { NodeRef } from "../state.ts";
import { count, counted } from "../words.ts";
import { CopyButton, KindDot, place } from "./basics.tsx";
import { Waiting, Wrong } from "./blank.tsx";
import { strings } from "../strings.ts";

export function GroupView({ node }: { node: NodeRef }): JSX.Element {
  const { store } = useApp();
  const list = useRef<HTMLDivElement>(null);
  const answer = useAnswer(useQuestion("view_group", { id: node.id }), (value) => value as GroupAnswer);
  const go = (to: Card): void => store.dispatch({ type: "go", to: { view: "read", node: to } });
  const info = answer.state === "ok" ? answer.value : undefined;
  const isFolder = node.kind === "Folder";
  const card = (each: Card, aside: string): JSX.Element => (
    <button key={each.id} type="button" class="symbol-card" data-id={each.id} title={`${each.kind} ${each.name}`} onClick={() => go(each)}>
      <span class="card-name"><KindDot kind={each.kind} /><b class="ellipsis">{each.name}</b><span class="card-count">{aside}</span></span>
      {each.file !== "" && <span class="card-place ellipsis from-end">{place(each)}</span>}
    </button>
  );
  return (
    <div class="read">
      <header class="read-head group-head">
        <div class="read-title">
          <KindDot kind={node.kind} />
          <h1 class="ellipsis">{info?.group.name ?? node.name}</h1>
          <span class="kind-tag">{isFolder ? strings.group.folder : strings.group.cluster}</span>
          <span class="spring" />
          {node.file !== "" && <CopyButton text={node.file} label={strings.group.copy(node.file)} />}
          <button type="button" class="button small" onClick={() => store.dispatch({ type: "go", to: { view: "map", by: isFolder ? "folder" : "cluster" } })}>{strings.group.showOnTheMap}</button>
        </div>
        <p class="read-place muted">{node.file !== "" && <span class="mono">{node.file}</span>}{info && isFolder && counted(info.total.symbols, "symbol")}</p>
      </header>
      {answer.state === "error" && <Wrong title={strings.group.itIsNotIn} message={answer.message} />}
      {answer.state === "loading" && <Waiting title={strings.group.lookingItUp} />}
      {info && (
        <div class="group-body">
          <div class="split">
            <aside class="split-side" aria-label={strings.group.neighbours}>
              <h2>{strings.group.neighbours} <span class="aside">{count(info.total.neighbours)}</span></h2>
              <p class="empty">{info.neighbours.length === 0 ? strings.group.nothingOutsideHasTo : strings.group.relationsThatLeadHere}</p>
              <ul class="rows">
                {info.neighbours.map((each) => (
                  <li key={each.id}><button type="button" class="row" title={each.file || each.name} onClick={() => go(each)}>
                    <KindDot kind={each.kind} /><span class="row-name ellipsis from-end">{each.file || each.name}</span>
                    <span class="row-aside">← {count(each.inwards)} → {count(each.outwards)}</span>
                  </button></li>
                ))}
              </ul>
            </aside>
            <div class="split-main read-list" ref={list} onKeyDown={(e) => list.current && moveFocus(e, list.current)}>
              <h2>{strings.group.entryPoints} <span class="aside">{count(info.total.entries)}</span></h2>
              {info.entries.length === 0 && <p class="empty">{strings.group.nothingInItIs}</p>}
              <section class="card-grid">{info.entries.map((each) => card(each, each.users > 0 ? strings.group.usedBy(count(each.users)) : each.entry))}</section>
              <More n={info.total.entries - info.entries.length} />
              <h2>{strings.group.members} <span class="aside">{count(info.total.members)}</span></h2>
              <section class="card-grid">{info.members.map((each) => card(each, isFolder ? counted(each.symbols, "symbol") : ""))}</section>
              <More n={info.total.members - info.members.length} />
            </div>
          </div>
        </div>
      )}
    </div>
  );
}

function More({ n }: { n: number }): JSX.Element | null {
  return n > 0 ? <p class="empty">{strings.group.moreAreNotListed(count(n))}</p> : null;
}
