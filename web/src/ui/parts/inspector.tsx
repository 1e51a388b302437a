/** One node from near: its code, and what stands around it. */
import type { JSX } from "preact";
import { useMemo, useRef, useState } from "preact/hooks";
import type { FileAnswer } from "../../engine/view/symbol.ts";
import { relations, span, type Relation } from "../answers.ts";
import { moveFocus, useAnswer, useApp, useBoth, useQuestion, useSelect } from "../hooks.ts";
import { shown, type NodeRef } from "../state.ts";
import { count } from "../words.ts";
import { CopyButton, IconButton, KindDot, place } from "./basics.tsx";
import { CodeView } from "./code.tsx";
import { BackIcon, CloseIcon, TargetIcon } from "./icons.tsx";
import { strings } from "../strings.ts";

/** Neighbours of one sort that are listed before the user asks for the rest. */
const FIRST = 7;

export function Inspector(): JSX.Element | null {
  const node = useSelect((s) => (s.place.view === "map" && s.loaded ? shown(s) : undefined));
  return node ? <NodePanel key={node.id} node={node} /> : null;
}

const identity = (answer: unknown): unknown => answer;

function NodePanel({ node }: { node: NodeRef }): JSX.Element {
  const { store, picture } = useApp();
  const deep = useSelect((s) => s.steps > 1);
  const readable = node.file !== "" && node.kind !== "Folder";
  const [source, around] = useBoth(
    useAnswer(useQuestion("view_file", readable ? { file: node.file } : null), (value) => value as FileAnswer),
    useAnswer(useQuestion("explore", { name: node.id, type: "symbol" }), identity),
  );
  const groups = useMemo(() => (around.state === "ok" ? relations(around.value) : []), [around]);
  const marked = around.state === "ok" ? span(around.value) : undefined;

  return (
    <aside class="inspector" aria-label={`${node.kind} ${node.name}`}>
      <div class="inspector-head">
        <div class="inspector-title">
          {deep && <IconButton label={strings.inspector.backToWhatWas} onClick={() => history.back()}><BackIcon /></IconButton>}
          <KindDot kind={node.kind} />
          <h2 class="ellipsis" title={node.name}>{node.name}</h2>
          <span class="kind-tag">{node.kind}</span>
          <span class="spring" />
          {(readable || node.kind === "Folder" || node.kind === "Community") && <button type="button" class="button small" onClick={() => store.dispatch({ type: "go", to: { view: "read" } })}>{strings.inspector.read}</button>}
          <IconButton label={strings.inspector.showInTheGraph} onClick={() => picture.current?.focus([node.id])}><TargetIcon /></IconButton>
          <IconButton label={strings.inspector.close} onClick={() => store.dispatch({ type: "deselect" })}><CloseIcon /></IconButton>
        </div>
        {node.file !== "" && (
          <div class="inspector-place">
            <span class="mono ellipsis" title={place(node)}>{place(node)}</span>
            <CopyButton text={place(node)} label={strings.inspector.copy(place(node))} />
          </div>
        )}
      </div>
      <div class="around">
        {around.state === "loading" && <Skeleton lines={3} label={strings.inspector.lookingForNeighbours} />}
        {around.state === "error" && <p class="empty bad">{around.message}</p>}
        {around.state === "ok" && groups.length === 0 && <p class="empty">{strings.inspector.nothingInTheGraph}</p>}
        {groups.map((group) => <Group key={group.title} group={group} />)}
      </div>
      {readable && (
        <div class="source">
          {source.state === "loading" && <Skeleton lines={10} label={strings.inspector.reading(node.file)} />}
          {source.state === "error" && <p class="empty bad">{source.message}</p>}
          {source.state === "ok" && <CodeView file={source.value} line={marked?.start ?? node.line} marked={marked} />}
        </div>
      )}
    </aside>
  );
}

function Group({ group }: { group: Relation }): JSX.Element {
  const { store } = useApp();
  const [all, setAll] = useState(false);
  const list = useRef<HTMLUListElement>(null);
  const nodes = all ? group.nodes : group.nodes.slice(0, FIRST);
  const beyond = group.total - nodes.length;
  return (
    <details class="group" open>
      <summary><h3>{group.title}</h3><span class="aside">{count(group.total)}</span></summary>
      <ul class="rows" ref={list} onKeyDown={(e) => list.current && moveFocus(e, list.current)}>
        {nodes.map((node) => (
          <li key={node.id}>
            <button type="button" class="row" title={`${node.kind} ${node.name}, ${place(node)}`} onClick={() => store.dispatch({ type: "select", node })}>
              <KindDot kind={node.kind} />
              <span class="row-name ellipsis">{node.name}</span>
              <span class="row-aside ellipsis from-end">{place(node)}</span>
            </button>
          </li>
        ))}
        {beyond > 0 && (
          <li>
            {group.nodes.length > nodes.length
              ? <button type="button" class="row more" onClick={() => setAll(true)}>{strings.inspector.more(count(beyond))}</button>
              : <span class="row more muted">{strings.inspector.moreNotListedBy(count(beyond))}</span>}
          </li>
        )}
      </ul>
    </details>
  );
}

function Skeleton({ lines, label }: { lines: number; label: string }): JSX.Element {
  return (
    <div class="skeleton" role="status" aria-label={label}>
      {Array.from({ length: lines }, (_, i) => <span key={i} style={{ width: `${35 + ((i * 37) % 55)}%` }} />)}
    </div>
  );
}
