/** Reading a symbol: what leads to it at the left, its code, and what it leads to at the right, at the height of the calls. */
import type { ComponentChildren, JSX } from "preact";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Card, FileAnswer, Neighbour, SymbolAnswer } from "../../engine/view/symbol.ts";
import type { CodeEditor } from "../code/editor.ts";
import { moveFocus, useAnswer, useApp, useBoth, useMedia, useQuestion, useSelect } from "../hooks.ts";
import { tabsOf, type Tab } from "../relations.ts";
import type { NodeRef } from "../state.ts";
import { count } from "../words.ts";
import { CopyButton, KindDot, place } from "./basics.tsx";
import { Blank, Waiting, Wrong } from "./blank.tsx";
import { CodeView } from "./code.tsx";
import { OpenInEditor } from "./settings.tsx";
import { strings } from "../strings.ts";

export function ReadView({ node }: { node: NodeRef }): JSX.Element {
  const { store } = useApp();
  const narrow = useMedia("(max-width: 1099px)");
  const tab = useSelect((s) => s.place.tab);
  const [symbol, file] = useBoth(
    useAnswer(useQuestion("view_symbol", { id: node.id }), (value) => value as SymbolAnswer),
    useAnswer(useQuestion("view_file", node.file === "" || node.kind === "Folder" ? null : { file: node.file }), (value) => value as FileAnswer),
  );
  const info = symbol.state === "ok" ? symbol.value : undefined;
  const tabs = useMemo(() => (info ? tabsOf(info, narrow) : []), [info, narrow]);
  const shown = tabs.find(({ key }) => key === tab) ?? tabs[0];
  const head = info?.node;
  return (
    <div class="read">
      <header class="read-head">
        <div class="read-title">
          <KindDot kind={node.kind} />
          <h1 class="ellipsis">{head && head.owner !== "" ? <span class="muted">{head.owner}.</span> : null}{head?.name ?? node.name}</h1>
          <span class="kind-tag">{head?.entry ? strings.read.entryPoint(node.kind, head.entry) : node.kind}</span>
          <span class="spring" />
          <CopyButton text={place({ file: node.file, line: head?.line ?? node.line })} label={strings.read.copy(place({ file: node.file, line: head?.line ?? node.line }))} />
          <CopyButton text={promptOf(node, head?.line ?? node.line)} label={strings.read.copyAsAPrompt} words={strings.read.prompt} />
          <OpenInEditor file={node.file} line={head?.line ?? node.line} />
        </div>
        {head && head.signature !== "" && <p class="signature mono ellipsis" title={head.signature}>{head.signature}</p>}
        <p class="read-place muted">
          <span class="mono">{place({ file: node.file, line: head?.line ?? node.line })}</span>
          {info?.cluster && <span>{strings.read.inCluster(info.cluster.name)}</span>}
          {info && info.processes.map((process) => (
            <button key={process.id} type="button" class="chip" onClick={() => store.dispatch({ type: "go", to: { view: "process", node: { id: process.id, name: process.name, kind: "Process", file: "", line: 0 } } })}>{strings.read.stepOf(process.step, process.name)}</button>
          ))}
        </p>
        <div class="tabs" role="tablist" aria-label={strings.read.around(node.name)} onKeyDown={(e) => arrows(e)}>
          {tabs.map(({ key, title, total }) => (
            <button key={key} type="button" role="tab" aria-selected={key === shown?.key} tabIndex={key === shown?.key ? 0 : -1}
              onClick={() => store.dispatch({ type: "go", to: { tab: key === tabs[0]?.key ? "" : key } })}>{title}{total > 0 && <span class="aside"> {count(total)}</span>}</button>
          ))}
        </div>
      </header>
      {symbol.state === "error" && <Wrong title={strings.read.itIsNotIn} message={symbol.message} />}
      {symbol.state === "loading" && <Waiting title={strings.read.lookingItUp} />}
      {info && shown && (shown.key === "code"
        ? <CodeTab key={node.id} node={node} info={info} file={file.state === "ok" ? file.value : undefined} narrow={narrow} />
        : <List key={`${node.id} ${shown.key}`} tab={shown} />)}
    </div>
  );
}

function arrows(e: KeyboardEvent): void {
  const tabs = [...(e.currentTarget as HTMLElement).querySelectorAll<HTMLElement>("[role=tab]")];
  const at = tabs.indexOf(document.activeElement as HTMLElement);
  const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: tabs.length - 1 }[e.key];
  if (to === undefined || at < 0) return;
  e.preventDefault();
  const next = tabs[(to + tabs.length) % tabs.length];
  next?.focus();
  next?.click();
}

function promptOf({ name, kind, id, file }: NodeRef, line: number): string {
  return strings.read.lookAtTheWith(kind.toLowerCase(), name, place({ file, line }), id, id);
}

function CodeTab({ node, info, file, narrow }: { node: NodeRef; info: SymbolAnswer; file: FileAnswer | undefined; narrow: boolean }): JSX.Element {
  const editor = useRef<CodeEditor>(null);
  const [moves, setMoves] = useState(0);
  const callers = info.arriving.filter(({ type, test }) => type === "CALLS" && (!test || info.node.test));
  const callees = info.leaving.filter(({ type }) => type === "CALLS");
  const marked = info.node.startLine > 0 ? { start: info.node.startLine, end: info.node.endLine } : undefined;
  return (
    <div class={narrow ? "read-body narrow" : "read-body"}>
      {!narrow && (
        <section class="read-side start" aria-label={strings.read.callersOf(node.name)}>
          <h2>{strings.read.calledBy} <span class="aside">{count(callers.length)}</span></h2>
          <Cards cards={callers} empty={strings.read.noCallLeadsHere} />
        </section>
      )}
      <section class="read-code" aria-label={strings.read.code}>
        {file ? <CodeView file={file} line={info.node.line} marked={marked} editor={editor} onMove={() => setMoves((n) => n + 1)} /> : <Blank title={strings.read.noCodeStandsBehind} />}
      </section>
      {!narrow && <Callees callees={callees} editor={editor} moves={moves} name={node.name} />}
    </div>
  );
}

/** From here on an edge is certain; below it is the possible target of a dynamic call, or a guess. */
const SURE = 0.7;

/** Cards, the certain ones first, the possible ones folded apart. */
function Cards({ cards, empty }: { cards: readonly Neighbour[]; empty: string }): JSX.Element {
  const list = useRef<HTMLDivElement>(null);
  const certain = cards.filter(({ confidence }) => confidence >= SURE - 1e-6);
  const possible = cards.filter(({ confidence }) => confidence < SURE - 1e-6);
  return (
    <div class="cards" ref={list} onKeyDown={(e) => list.current && moveFocus(e, list.current)}>
      {cards.length === 0 && <p class="empty">{empty}</p>}
      {certain.map((card) => <CardButton key={`${card.id} ${card.type}`} card={card} sites={card.sites} />)}
      {possible.length > 0 && <Possible n={possible.length}>{possible.map((card) => <CardButton key={`${card.id} ${card.type}`} card={card} sites={card.sites} />)}</Possible>}
    </div>
  );
}

function Possible({ n, children }: { n: number; children: ComponentChildren }): JSX.Element {
  return (
    <details class="possible">
      <summary>{strings.read.possible} <span class="aside">{count(n)}</span></summary>
      <p class="muted">{strings.read.targetsOfDynamicCalls}</p>
      {children}
    </details>
  );
}

function CardButton({ card, sites = [] }: { card: Card; sites?: readonly { line: number; text: string }[] }): JSX.Element {
  const { store } = useApp();
  return (
    <button type="button" class="symbol-card" data-id={card.id} title={`${card.kind} ${card.name}, ${place(card)}`} onClick={() => store.dispatch({ type: "select", node: card })}>
      <span class="card-name"><KindDot kind={card.kind} /><b class="ellipsis">{card.owner !== "" && <span class="muted">{card.owner}.</span>}{card.name}</b></span>
      {card.signature !== "" && <span class="card-signature mono ellipsis">{card.signature}</span>}
      <span class="card-place ellipsis from-end">{place(card)}</span>
      {sites.slice(0, 4).map(({ line, text }) => <span key={line} class="card-site mono ellipsis"><i>{line}</i>{text}</span>)}
      {sites.length > 4 && <span class="card-site muted">{strings.read.moreLines(count(sites.length - 4))}</span>}
    </button>
  );
}

/** What is called, each card at the height of its first call, or below the one before. */
function Callees({ callees, editor, moves, name }: { callees: readonly Neighbour[]; editor: { current: CodeEditor | null }; moves: number; name: string }): JSX.Element {
  const list = useRef<HTMLDivElement>(null);
  const certain = callees.filter(({ confidence }) => confidence >= SURE - 1e-6);
  const possible = callees.filter(({ confidence }) => confidence < SURE - 1e-6);
  const [tops, setTops] = useState<{ line: number; top: number }[]>([]);
  const scroll = editor.current?.scrollTop ?? 0;
  useLayoutEffect(() => {
    const { current } = editor;
    if (!current || !list.current) return;
    let bottom = -Infinity;
    // The list begins below its heading, the code does not.
    const lower = current.top - list.current.getBoundingClientRect().top;
    const next = [...list.current.querySelectorAll<HTMLElement>(".callee")].map((element) => {
      const line = Number(element.dataset["line"]);
      const top = Math.max(current.topOf(line) + lower, bottom + 6);
      bottom = top + element.offsetHeight;
      return { line, top };
    });
    if (JSON.stringify(next) !== JSON.stringify(tops)) setTops(next);
  }, [callees, moves]);
  useEffect(() => {
    const element = list.current;
    if (!element) return undefined;
    const wheel = (e: WheelEvent): void => {
      e.preventDefault();
      editor.current?.scrollBy(e.deltaY);
    };
    element.addEventListener("wheel", wheel, { passive: false });
    return () => element.removeEventListener("wheel", wheel);
  }, []);
  return (
    <section class="read-side end" aria-label={strings.read.whatCalls(name)}>
      <h2>{strings.read.calls} <span class="aside">{count(callees.length)}</span></h2>
      <div class="callees" ref={list} onKeyDown={(e) => list.current && moveFocus(e, list.current)}>
        {callees.length === 0 && <p class="empty">{strings.read.itCallsNothingThat}</p>}
        {certain.map((card, i) => (
          <div key={card.id} class="callee" data-line={card.sites[0]?.line ?? 1} style={{ transform: `translateY(${(tops[i]?.top ?? 0) - scroll}px)` }}
            onFocusIn={() => {
              const top = (tops[i]?.top ?? 0) - (editor.current?.scrollTop ?? 0);
              if (top < 0 || top > (list.current?.clientHeight ?? 0) - 40) editor.current?.look(card.sites[0]?.line ?? 1);
              if (list.current) list.current.scrollTop = 0;
            }}>
            <CardButton card={card} sites={card.sites.slice(0, 1)} />
          </div>
        ))}
      </div>
      {possible.length > 0 && <Possible n={possible.length}>{possible.map((card) => <CardButton key={card.id} card={card} sites={card.sites} />)}</Possible>}
    </section>
  );
}

/** A tab that lists symbols, by file. */
function List({ tab }: { tab: Tab }): JSX.Element {
  const list = useRef<HTMLDivElement>(null);
  const files = [...new Set(tab.cards.map(({ file }) => file))];
  const certain = (card: Card & { confidence?: number }): boolean => (card.confidence ?? 1) >= SURE - 1e-6;
  return (
    <div class="read-list" ref={list} onKeyDown={(e) => list.current && moveFocus(e, list.current)}>
      {files.map((file) => {
        const cards = tab.cards.filter((card) => card.file === file);
        const possible = cards.filter((card) => !certain(card));
        return (
          <section key={file}>
            <h3 class="mono">{file === "" ? tab.title : file} <span class="aside">{count(cards.length)}</span></h3>
            <div class="card-grid">
              {cards.filter(certain).map((card) => <CardButton key={`${card.id} ${card.type ?? ""}`} card={card} sites={card.sites ?? []} />)}
            </div>
            {possible.length > 0 && <Possible n={possible.length}><div class="card-grid">{possible.map((card) => <CardButton key={card.id} card={card} sites={card.sites ?? []} />)}</div></Possible>}
          </section>
        );
      })}
      {tab.total > tab.cards.length && <p class="empty">{strings.read.moreAreNotListed(count(tab.total - tab.cards.length))}</p>}
    </div>
  );
}
