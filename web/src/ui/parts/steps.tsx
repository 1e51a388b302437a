/** A path of calls or a process, as a strip of cards with the code of each call. */
import type { JSX } from "preact";
import { useMemo, useRef, useState } from "preact/hooks";
import { moveFocus, useAnswer, useApp, useQuestion, useSelect } from "../hooks.ts";
import type { NodeRef } from "../state.ts";
import { toldTo, type Step, type Told } from "../told.ts";
import { KindDot, place } from "./basics.tsx";
import { Between } from "./between.tsx";
import { Blank, Waiting, Wrong } from "./blank.tsx";
import { Choice } from "./legend.tsx";
import { Sentence } from "./sentence.tsx";
import { strings } from "../strings.ts";

export function ProcessView({ node }: { node: NodeRef }): JSX.Element {
  const answer = useAnswer(useQuestion("explore", { name: node.id, type: "process" }), (value) => toldTo({ name: "explore", answer: JSON.stringify(value) }), true);
  return <Strips answer={answer} waiting={strings.steps.followingTheProcess} />;
}

/** From the selected node to another. */
export function PathView({ node }: { node: NodeRef }): JSX.Element {
  const { store } = useApp();
  const to = useSelect((s) => s.place.to);
  const input = useRef<HTMLInputElement>(null);
  const answer = useAnswer(useQuestion("trace_flow", { from: node.id, ...(to === "" ? {} : { to }), maxSteps: 20 }), (value) => toldTo({ name: "trace_flow", answer: JSON.stringify(value) }));
  return (
    <div class="steps-view">
      <form class="path-form" onSubmit={(e) => {
        e.preventDefault();
        store.dispatch({ type: "go", to: { to: input.current?.value.trim() ?? "" } });
      }}>
        <span><Sentence words={strings.steps.fromTo} parts={{ symbol: <b class="mono">{node.name}</b> }} /></span>
        <input type="text" ref={input} key={to} defaultValue={to} spellcheck={false} placeholder={strings.steps.aNameTypeMethod} aria-label={strings.steps.whereThePathEnds} />
        <button type="submit" class="button small">{strings.steps.findThePath}</button>
        {to === "" && <span class="muted">{strings.steps.withoutAnEndThe}</span>}
      </form>
      <Strips answer={answer} waiting={strings.steps.lookingForAWay} />
    </div>
  );
}

function Strips({ answer, waiting }: { answer: ReturnType<typeof useAnswer<Told>>; waiting: string }): JSX.Element {
  if (answer.state === "error") return <Wrong title={strings.steps.thereIsNoSuch} message={answer.message} />;
  if (answer.state !== "ok") return <Waiting title={waiting} />;
  return answer.value.form === "steps" ? <StepsPicture told={answer.value} /> : <Blank title={strings.steps.noWayIsKnown}><p class="muted">{noteIn(answer.value)}</p></Blank>;
}

/** What the engine says where there is no way. */
function noteIn(told: Told): string {
  if (told.form !== "list" && told.form !== "text") return "";
  try {
    const { note } = JSON.parse(told.text) as { note?: unknown };
    if (typeof note === "string") return note;
  } catch {
    // Not JSON: shown as it is.
  }
  return told.text;
}

const SURE = 0.695;

export function StepsPicture({ told }: { told: Extract<Told, { form: "steps" }> }): JSX.Element {
  const { store } = useApp();
  const [as, setAs] = useState<"cards" | "layers">("cards");
  const ids = useMemo(() => [...new Set(told.flows.flatMap(({ steps }) => steps.map(({ node }) => node.id)))], [told]);
  return (
    <div class={as === "layers" ? "steps-view filled" : "steps-view"}>
      <div class="steps-head">
        {told.title !== "" && <h2>{told.title}</h2>}
        <Choice name="steps-as" label={strings.steps.showTheStepsAs} value={as} options={[["cards", strings.steps.cards], ["layers", strings.steps.layers]]} onChange={setAs} />
      </div>
      {as === "layers" && <Between ids={ids} label={told.title || strings.steps.theSteps} onChoose={(node) => store.dispatch({ type: "go", to: { view: "read", node } })} />}
      {as === "cards" && told.flows.map(({ title, steps }, i) => (
        <section key={i}>
          {title !== "" && <h3>{title}</h3>}
          <Strip steps={steps} />
        </section>
      ))}
      {told.note !== "" && <p class="empty">{told.note}</p>}
      {told.ends !== true && <p class="empty">{strings.steps.beyondTheLastCard}</p>}
    </div>
  );
}

function Strip({ steps }: { steps: readonly Step[] }): JSX.Element {
  const { store } = useApp();
  const list = useRef<HTMLOListElement>(null);
  return (
    <ol class="strip" ref={list} onKeyDown={(e) => list.current && moveFocus(e, list.current)}>
      {steps.map(({ node, code, confidence }, i) => (
        <li key={`${node.id} ${i}`} class={confidence < SURE ? "unsure" : ""}>
          <button type="button" class="symbol-card" onClick={() => store.dispatch({ type: "go", to: { view: "read", node } })}>
            <span class="card-name"><i class="step">{i + 1}</i><KindDot kind={node.kind} /><b class="ellipsis">{node.name}</b></span>
            <span class="card-place ellipsis from-end">{place(node)}</span>
            {code !== "" && <pre class="mono">{code}</pre>}
          </button>
          {i + 1 < steps.length && <span class="arrow" aria-label={confidence < SURE ? strings.steps.possiblyCalls : strings.steps.calls}>{confidence < SURE ? "⇢" : "→"}</span>}
        </li>
      ))}
    </ol>
  );
}
