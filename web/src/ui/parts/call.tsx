/** An agent's call as a picture of exactly what the agent was told. */
import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import { useApp, useSelect } from "../hooks.ts";
import { CALLS_KEPT, type Call, type Outcome } from "../state.ts";
import { toldTo } from "../told.ts";
import { briefArguments, count, duration, size } from "../words.ts";
import { KindDot, place } from "./basics.tsx";
import { Blank, Waiting } from "./blank.tsx";
import { Rings } from "./impact.tsx";
import { StepsPicture } from "./steps.tsx";
import { Table } from "./table.tsx";
import { Sentence } from "./sentence.tsx";
import { strings } from "../strings.ts";

export function CallView(): JSX.Element {
  const id = useSelect((s) => s.place.call);
  const call = useSelect((s) => s.calls.find((each) => each.id === id));
  if (!call) return <Blank title={strings.call.thisCallIsNo}><p class="muted">{strings.call.thePageKeepsThe(CALLS_KEPT)}</p></Blank>;
  return (
    <div class="call-view" key={call.id}>
      <header class="read-head call-head">
        <p><Sentence words={strings.call.asked} parts={{ agent: <b>{call.agent}</b>, tool: <code>{call.name}</code>, arguments: <span class="muted">{briefArguments(call.arguments, 160)}</span> }} /></p>
        <p class="muted">{call.outcome === "running" ? strings.call.itRuns : strings.call.endedIn(call.outcome === "ok" ? strings.call.answered : call.message || call.outcome, duration(call.ms), call.bytes > 0 ? `, ${size(call.bytes)}` : "")}</p>
      </header>
      <div class="call-picture">{call.answer !== "" ? <Answer call={call} /> : <NoAnswer outcome={call.outcome} />}</div>
    </div>
  );
}

function NoAnswer({ outcome }: { outcome: Outcome }): JSX.Element {
  if (outcome === "running") return <Waiting title={strings.call.noAnswerYet} />;
  return outcome === "ok"
    ? <Blank title={strings.call.theAnswerIsNot}><p class="muted">{strings.call.itWasTooLong}</p></Blank>
    : <Blank title={strings.call.thereIsNoAnswer}><p class="muted">{strings.call.theCallEndedWithout}</p></Blank>;
}

function Answer({ call }: { call: Call }): JSX.Element {
  const { store } = useApp();
  const told = useMemo(() => toldTo(call), [call]);
  switch (told.form) {
    case "rings":
      return (
        <Rings target={told.target} nodes={told.nodes} totals={told.totals}>
          <h2>{told.direction === "downstream" ? strings.call.whatItDependsOn(call.agent) : strings.call.whatDependsOnIt(call.agent)}</h2>
          {told.risk !== "" && <p class="muted">{strings.call.risk(told.risk)}</p>}
        </Rings>
      );
    case "steps":
      return <StepsPicture told={told} />;
    case "table":
      return <div class="read-list"><Table columns={told.columns} rows={told.rows} total={told.total} /></div>;
    case "list":
      return (
        <div class="read-list">
          {told.groups.map(({ title, nodes }, i) => (
            <section key={i}>
              <h3>{title} <span class="aside">{count(nodes.length)}</span></h3>
              <div class="card-grid">
                {nodes.map((node, n) => (
                  <button key={`${node.id} ${n}`} type="button" class="symbol-card" onClick={() => store.dispatch({ type: "go", to: { view: node.kind === "Process" ? "process" : "read", node } })}>
                    <span class="card-name"><KindDot kind={node.kind} /><b class="ellipsis">{node.name}</b></span>
                    <span class="card-place ellipsis from-end">{place(node)}</span>
                  </button>
                ))}
              </div>
            </section>
          ))}
          <details class="possible"><summary>{strings.call.asText}</summary><pre class="answer-text" tabIndex={0}>{told.text}</pre></details>
        </div>
      );
    case "text":
      return <pre class="answer-text pad" tabIndex={0}>{told.text}</pre>;
  }
}
