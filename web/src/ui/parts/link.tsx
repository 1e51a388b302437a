/** The state of the link to the hub: a pill in the header, a banner over the graph. */
import type { JSX } from "preact";
import { useApp, useNow, useSelect } from "../hooks.ts";
import { linkWords, secondsLeft } from "../words.ts";
import { Command } from "./basics.tsx";
import { Spinner, UnlinkIcon } from "./icons.tsx";
import { strings } from "../strings.ts";

export function LinkPill(): JSX.Element {
  const link = useSelect((s) => s.link);
  const { title, detail, tone } = linkWords(link);
  return (
    <span class={`pill tone-${tone}`} title={detail}>
      {link.state === "connecting" ? <Spinner /> : <span class="status-dot" />}
      <span class="pill-text">{title}</span>
      {link.state === "waiting" && <Countdown until={link.retryAt} short />}
    </span>
  );
}

/** Seconds to the next try. Hidden from screen readers, which would read each of them. */
export function Countdown({ until, short = false }: { until: number; short?: boolean }): JSX.Element {
  const seconds = secondsLeft(until, useNow(250, true));
  const words = seconds > 0 ? strings.words.s(seconds) : strings.link.now;
  return <span class="countdown" aria-hidden="true">{short ? words : seconds > 0 ? strings.link.nextTryIn(words) : strings.link.tryingNow}</span>;
}

export function TryNow({ primary = false }: { primary?: boolean }): JSX.Element {
  const { session } = useApp();
  const trying = useSelect((s) => s.link.state === "connecting");
  return (
    <button type="button" class={primary ? "button primary" : "button small"} aria-disabled={trying}
      onClick={() => trying || session.tell({ type: "retry", why: "the user asked" })}>
      {trying ? strings.link.trying : strings.link.tryNow}
    </button>
  );
}

/** Says what is wrong with the link while a graph is shown. Without a graph the stage's card says it. */
export function LinkBanner(): JSX.Element | null {
  const link = useSelect((s) => s.link);
  const down = link.state === "waiting" || (link.state === "connecting" && link.attempt > 0);
  if (!down && link.state !== "unpaired" && link.state !== "refused") return null;
  const { title, detail, tone } = linkWords(link);
  return (
    <div class={`banner tone-${tone}`}>
      <UnlinkIcon />
      <div class="banner-text">
        <strong>{title}.</strong> {detail}
        {down && <span class="muted"> {strings.link.theGraphStaysUsable}</span>}
      </div>
      {link.state === "waiting" && <Countdown until={link.retryAt} />}
      {down ? <TryNow /> : <Command text="gitnexus-mcp open" />}
    </div>
  );
}
