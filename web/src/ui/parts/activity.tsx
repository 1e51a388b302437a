/** What has happened lately to agents, tabs and servers, from the event log of all of them; and the alerts that are not over. */
import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { AlertInfo } from "../../messages.ts";
import { alertKey, eventWords, FILTERS, newestByDay, type LoggedEvent, type Recent } from "../activity.ts";
import { useApp, useSelect } from "../hooks.ts";
import { duration, sentence } from "../words.ts";
import { CopyButton, IconButton } from "./basics.tsx";
import { CheckIcon, CloseIcon, CrossIcon, PointIcon, WarnIcon } from "./icons.tsx";
import { Sentence } from "./sentence.tsx";
import { strings } from "../strings.ts";

/** How many events come at a time. */
const PAGE = 100;
/** Milliseconds between two looks at what is new. */
const LOOK_EVERY = 2000;

/** Calls keep failing: says so over every view until the alert is over or dismissed, and what to do. */
export function AlertBanner(): JSX.Element | null {
  const { store } = useApp();
  const alerts = useSelect((s) => s.alerts);
  const activity = useSelect((s) => s.place.view === "activity");
  const [dismissed, setDismissed] = useState<readonly string[]>([]);
  const open = alerts.filter((alert) => !dismissed.includes(alertKey(alert)));
  const newest = open.at(-1);
  if (!newest || activity) return null; // that view has them all
  return (
    <div class="banner tone-bad" role="alert">
      <WarnIcon />
      <div class="banner-text">
        <AlertWords alert={newest} />
        {open.length > 1 && <span class="muted">{strings.activity.andMore(open.length - 1)}</span>}
      </div>
      <button type="button" class="button small" onClick={() => store.dispatch({ type: "go", to: { view: "activity" } })}>{strings.activity.showWhatFailed}</button>
      <IconButton label={strings.activity.dismiss} onClick={() => setDismissed([...dismissed, ...open.map(alertKey)])}><CloseIcon /></IconButton>
    </div>
  );
}

function AlertWords({ alert: { message, advice } }: { alert: AlertInfo }): JSX.Element {
  return <><strong>{sentence(message)}</strong> {advice.split("`").map((part, i) => (i % 2 === 1 ? <code key={i}>{part}</code> : part))}</>;
}

export function ActivityView(): JSX.Element {
  const alerts = useSelect((s) => s.alerts);
  const [filter, setFilter] = useState<(typeof FILTERS)[number]>(FILTERS[0]);
  return (
    <div class="activity read-list">
      {alerts.map((alert) => <p key={alertKey(alert)} class="card-reason alert-words"><AlertWords alert={alert} /></p>)}
      <label class="activity-filter">
        {strings.activity.show}{" "}
        <select value={filter.title} onChange={(e) => setFilter(FILTERS.find(({ title }) => title === e.currentTarget.value) ?? FILTERS[0])}>
          {FILTERS.map(({ title }) => <option key={title}>{title}</option>)}
        </select>
      </label>
      <Events key={filter.title} parameters={filter.parameters} />
    </div>
  );
}

type Feed = { events: LoggedEvent[]; /** There may be older ones. */ more: boolean; status: Omit<Recent, "events"> };

function Events({ parameters }: { parameters: Record<string, string> }): JSX.Element {
  const { session } = useApp();
  const connected = useSelect((s) => s.link.state === "connected");
  const [feed, setFeed] = useState<Feed | null>(null);
  const [failure, setFailure] = useState("");
  const kept = useRef<Feed | null>(null);
  const busy = useRef(false);
  /** Asks for what is newer than all that is shown, or with `older` for what is older. */
  const look = async (older: boolean): Promise<void> => {
    if (busy.current) return;
    busy.current = true;
    const { events = [], more = false } = kept.current ?? {};
    const first = events[0];
    const last = events.at(-1);
    const from: Record<string, string> = older && first ? { before: String(first.id) } : last ? { after: String(last.id) } : {};
    try {
      const { events: found, ...status } = await session.recentEvents({ ...parameters, ...from, limit: String(PAGE) });
      const full = found.length === PAGE;
      // Of more new ones than come at a time there are the newest, and a gap before them.
      const gap = !older && full && last !== undefined;
      kept.current = {
        events: older ? [...found, ...events] : gap ? found : [...events, ...found],
        more: older || !last || gap ? full : more,
        status,
      };
      setFeed(kept.current);
      setFailure("");
    } catch (why) {
      setFailure(why instanceof Error ? why.message : String(why));
    } finally {
      busy.current = false;
    }
  };
  useEffect(() => {
    if (!connected) return undefined;
    void look(false);
    const timer = setInterval(() => void (document.hidden || look(false)), LOOK_EVERY);
    return () => clearInterval(timer);
  }, [connected]);
  if (!feed) return <p class="empty" role="status">{!connected ? strings.activity.unknownWhileTheLink : failure === "" ? strings.activity.readingTheEventLog : sentence(failure)}</p>;
  const { events, more, status } = feed;
  return (
    <>
      {!connected && <p class="empty">{strings.activity.whatComesAfterThis}</p>}
      {connected && failure !== "" && <p class="empty bad" role="alert">{sentence(failure)}</p>}
      {status.error !== "" && <p class="empty bad" role="alert">{strings.activity.theEventLogCannot(sentence(status.error))}</p>}
      {status.dropped > 0 && <p class="empty bad">{strings.activity.eventsWereLostSince(status.dropped)}</p>}
      {events.length === 0 && <p class="empty">{status.file === "" ? strings.activity.noEventLogIs : strings.activity.nothingOfThisKind}</p>}
      {newestByDay(events).map(({ day, list }) => (
        <section key={day}>
          <h2>{day}</h2>
          <ul class="events">{list.map((event) => <EventRow key={event.id} event={event} />)}</ul>
        </section>
      ))}
      {more && <button type="button" class="button" onClick={() => void look(true)}>{strings.activity.showOlderOnes}</button>}
      {status.file !== "" && <p class="muted pad-small"><Sentence words={strings.activity.from} parts={{ file: <code>{status.file}</code>, events: <code>gitnexus-mcp events</code>, stats: <code>gitnexus-mcp stats</code> }} /></p>}
    </>
  );
}

const ICONS = { good: CheckIcon, bad: CrossIcon, warn: WarnIcon, quiet: PointIcon };

function EventRow({ event }: { event: LoggedEvent }): JSX.Element {
  const { title, detail, tone } = eventWords(event);
  const Icon = ICONS[tone];
  const where = [event.graph, event.agent].filter((part) => part !== "").join(", ");
  const facts: [string, string][] = [
    [strings.activity.agent, event.agent], [strings.activity.graph, event.graph], [strings.activity.call, event.call], [strings.activity.code, event.code], [strings.activity.attempts, event.attempts > 1 ? String(event.attempts) : ""],
  ];
  const metadata = Object.keys(event.metadata).length > 0 ? JSON.stringify(event.metadata, null, 2) : "";
  return (
    <li>
      <details class={`event tone-${tone}`}>
        <summary>
          <Icon />
          <time class="time" dateTime={new Date(event.at).toISOString()}>{new Date(event.at).toLocaleTimeString("en-GB")}</time>
          <span class="event-title">{title}</span>
          <span class="event-where ellipsis">{where}</span>
          {event.ms > 0 && <span class="time event-took">{duration(event.ms)}</span>}
          {detail !== "" && <span class="event-detail">{detail}</span>}
        </summary>
        <div class="call-detail">
          <dl>{facts.flatMap(([name, value]) => (value === "" ? [] : [<dt key={name}>{name}</dt>, <dd key={`${name} value`} class="mono">{value}</dd>]))}</dl>
          {metadata !== "" && <pre tabIndex={0} aria-label={strings.activity.whatElseIsKnown}>{metadata}</pre>}
          <CopyButton text={JSON.stringify(event, null, 2)} label={strings.activity.copyThisEventAs} words={strings.activity.copyAsJson} />
        </div>
      </details>
    </li>
  );
}
