/** The walks through the code, recent and saved: lead back to each step, take a note, leave as Markdown. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { Card } from "../../engine/view/symbol.ts";
import { placeOf } from "../address.ts";
import { useAnswer, useApp, useNow, useQuestion, useSealed, useSelect } from "../hooks.ts";
import { save } from "../save.ts";
import { markdownOf, titleOf, type Walk } from "../trail.ts";
import { ago, counted, VIEW_WORDS } from "../words.ts";
import { KindDot, place } from "./basics.tsx";
import { Blank } from "./blank.tsx";
import { TrailIcon } from "./icons.tsx";
import { strings } from "../strings.ts";

export function TrailView(): JSX.Element {
  const walks = useSealed(useApp().memories.walks);
  const repo = useSelect((s) => s.loaded?.context.repo ?? "");
  const current = useSelect((s) => s.walk);
  const [chosen, setChosen] = useState("");
  const own = walks.filter((walk) => walk.repo === repo);
  const shown = own.find(({ id }) => id === chosen) ?? own.find(({ id }) => id === current) ?? own[0];
  const list = (title: string, some: readonly Walk[]): JSX.Element | null => some.length === 0 ? null : (
    <>
      <h2>{title}</h2>
      <ul class="rows">{some.map((walk) => <li key={walk.id}><WalkRow walk={walk} on={walk === shown} onClick={() => setChosen(walk.id)} /></li>)}</ul>
    </>
  );
  if (!shown) return <Blank icon={<TrailIcon />} title={strings.trail.noWalkYet}><p class="muted">{strings.trail.selectASymbolAnd}</p></Blank>;
  return (
    <div class="split">
      <aside class="split-side" aria-label={strings.trail.walks}>
        {list(strings.trail.saved, own.filter(({ saved }) => saved))}
        {list(strings.trail.recent, own.filter(({ saved }) => !saved))}
      </aside>
      <div class="split-main read-list">
        <Steps key={shown.id} walk={shown} />
      </div>
    </div>
  );
}

function WalkRow({ walk, on, onClick }: { walk: Walk; on: boolean; onClick: () => void }): JSX.Element {
  const now = useNow(30_000, true);
  return (
    <button type="button" class={on ? "row on" : "row"} aria-current={on ? "true" : undefined} onClick={onClick} title={walk.note}>
      <span class="row-name ellipsis">{titleOf(walk)}</span>
      <span class="row-aside">{counted(walk.steps.length, "step")}, {ago(walk.at, now)}</span>
    </button>
  );
}

function Steps({ walk }: { walk: Walk }): JSX.Element {
  const { store, memories: { walks } } = useApp();
  const answer = useAnswer(useQuestion("view_nodes", { ids: [...new Set(walk.steps.map(({ node }) => node.id))] }), (value) => new Map((value as { nodes: Card[] }).nodes.map((card) => [card.id, card])), true);
  const cards = answer.state === "ok" ? answer.value : undefined;
  const change = (to: Partial<Walk> | null): void =>
    walks.change((kept) => kept.flatMap((each) => (each.id !== walk.id ? [each] : to === null ? [] : [{ ...each, ...to }])));
  const leave = (): void => save(new Blob([markdownOf(walk, cards ?? new Map<string, Card>(), VIEW_WORDS, location.href.replace(/[?#].*$/u, ""))], { type: "text/markdown" }),
    `${titleOf(walk).replace(/[^\w.-]+/gu, "-")}.md`);
  return (
    <>
      <h2>{titleOf(walk)}</h2>
      <div class="actions">
        <button type="button" class="button small" aria-pressed={walk.saved} onClick={() => change({ saved: !walk.saved })}>{walk.saved ? strings.trail.saved : strings.trail.save}</button>
        <button type="button" class="button small" onClick={leave}>{strings.trail.exportAsMarkdown}</button>
        <button type="button" class="button small quiet" onClick={() => change(null)}>{strings.trail.remove}</button>
      </div>
      <label class="note">
        <span class="muted">{strings.trail.note}</span>
        <textarea rows={2} value={walk.note} placeholder={strings.trail.whatWasLearnedHere} onInput={(e) => change({ note: e.currentTarget.value, saved: walk.saved || e.currentTarget.value.trim() !== "" })} />
      </label>
      <ol class="trail">
        {walk.steps.map(({ node, view, fragment }, i) => {
          const card = cards?.get(node.id);
          const gone = cards !== undefined && card === undefined;
          return (
            <li key={i}>
              <button type="button" class="symbol-card" disabled={gone} onClick={() => store.dispatch({ type: "go", to: placeOf(fragment) })}>
                <span class="card-name"><KindDot kind={node.kind} /><b class="ellipsis">{node.name}</b><span class="kind-tag">{VIEW_WORDS[view]}</span></span>
                <span class="card-place ellipsis from-end">{gone ? strings.trail.noLongerInThe : place(card ?? node)}</span>
              </button>
            </li>
          );
        })}
      </ol>
    </>
  );
}
