/** Who is connected, and the stream of their calls. */
import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { moveFocus, useApp, useNow, useSelect } from "../hooks.ts";
import type { Call, Outcome } from "../state.ts";
import { briefArguments, count, duration, size } from "../words.ts";
import { Section } from "./basics.tsx";
import { CheckIcon, ClockIcon, CrossIcon, Spinner, StopIcon } from "./icons.tsx";
import { strings } from "../strings.ts";

export function Agents(): JSX.Element {
  const agents = useSelect((s) => s.agents);
  const connected = useSelect((s) => s.link.state === "connected");
  const unproven = useSelect((s) => s.unproven);
  return (
    <Section title={strings.calls.agents} aside={agents.length > 0 ? count(agents.length) : ""}>
      {agents.length === 0
        ? <p class="empty">{connected ? strings.calls.noAgentIsConnected : strings.calls.unknownWhileTheLink}</p>
        : (
          <ul class="agents">
            {agents.map(({ name, pid }) => (
              <li key={`${name} ${pid}`}><span class="status-dot tone-good" /> <span class="ellipsis">{name}</span> <span class="muted mono">{strings.calls.pid(pid)}</span></li>
            ))}
          </ul>
        )}
      {unproven > 0 && <p class="empty"><span class="status-dot tone-warn" /> {strings.calls.unproven(unproven)}</p>}
    </Section>
  );
}

export function Calls(): JSX.Element {
  const { store } = useApp();
  const calls = useSelect((s) => s.calls);
  const follow = useSelect((s) => s.follow);
  const running = calls.filter((call) => call.outcome === "running").length;
  const now = useNow(100, running > 0);
  const list = useRef<HTMLUListElement>(null);
  return (
    <Section title={strings.calls.calls} grow aside={running > 0 ? <span class="running-count"><Spinner /> {running} {strings.calls.running}</span> : calls.length > 0 ? count(calls.length) : ""}>
      <label class="toggle follow" title={strings.calls.showEachAnswerAs}><input type="checkbox" checked={follow} onChange={() => store.dispatch({ type: "follow", follow: !follow })} /><span class="toggle-label">{strings.calls.followTheAgent}</span></label>
      {calls.length === 0
        ? <p class="empty">{strings.calls.whatAgentsAskAppears}</p>
        : (
          <ul class="calls" ref={list} onKeyDown={(e) => list.current && moveFocus(e, list.current)}>
            {calls.map((call) => <CallRow key={call.id} call={call} now={call.outcome === "running" ? now : 0} />)}
          </ul>
        )}
    </Section>
  );
}

const OUTCOMES: Record<Outcome, { words: string; icon: () => JSX.Element }> = {
  running: { words: strings.calls.running, icon: Spinner },
  ok: { words: strings.calls.answered, icon: CheckIcon },
  error: { words: strings.calls.failed, icon: CrossIcon },
  cancelled: { words: strings.calls.cancelled, icon: StopIcon },
  timeout: { words: strings.calls.outOfTime, icon: ClockIcon },
};

function CallRow({ call, now }: { call: Call; now: number }): JSX.Element {
  const { store } = useApp();
  const [open, setOpen] = useState(false);
  const detail = useRef<HTMLDivElement>(null);
  useEffect(() => detail.current?.scrollIntoView({ block: "nearest" }), [open]);
  const { words, icon: Icon } = OUTCOMES[call.outcome];
  const ms = call.outcome === "running" ? Math.max(0, now - call.startedAt) : call.ms;
  const brief = briefArguments(call.arguments);
  return (
    <li class={`call ${call.outcome}`}>
      <button type="button" class="call-row" aria-expanded={open} onClick={() => setOpen(!open)}>
        <span class="call-icon" title={words}><Icon /></span>
        <code class="call-name">{call.name}</code>
        <span class="call-arguments ellipsis">{brief}</span>
        <span class="time">{duration(ms)}</span>
        <span class="visually-hidden">{strings.calls.by(words, call.agent)}</span>
        {call.message !== "" && call.outcome !== "ok" && <span class="call-message">{call.message}</span>}
      </button>
      {open && (
        <div class="call-detail" ref={detail}>
          <dl>
            <dt>{strings.calls.agent}</dt><dd>{call.agent}</dd>
            <dt>{strings.calls.outcome}</dt><dd>{words}{call.bytes > 0 ? `, ${size(call.bytes)}` : ""}</dd>
            <dt>{strings.calls.started}</dt><dd>{new Date(call.startedAt).toLocaleTimeString("en-GB")}</dd>
          </dl>
          {call.answer !== "" && <button type="button" class="button small" onClick={() => store.dispatch({ type: "go", to: { view: "call", call: call.id } })}>{strings.calls.showWhatItWas}</button>}
          <pre tabIndex={0} aria-label={strings.calls.arguments}>{JSON.stringify(call.arguments, null, 2)}</pre>
        </div>
      )}
    </li>
  );
}
