/** What is loaded, in figures; where its weight lies; what was left out. */
import type { JSX } from "preact";
import { useApp, useNow, useSelect } from "../hooks.ts";
import type { Loaded } from "../state.ts";
import { ago, count, counted, cut, duration, PHASE_WORDS, unitOf, type Unit } from "../words.ts";
import { KindDot, place, Section } from "./basics.tsx";
import { strings } from "../strings.ts";

/** Left-out files that are listed; more are only counted. */
const SKIPPED_SHOWN = 200;

export function Repository(): JSX.Element | null {
  const loaded = useSelect((s) => s.loaded);
  if (!loaded) return null;
  return (
    <Section title={strings.repository.repository} aside={<UpdatedAgo at={loaded.context.indexedAt} />}>
      <Figures loaded={loaded} />
      <Languages languages={loaded.context.languages} />
      <IndexTime loaded={loaded} />
      <LeftOut loaded={loaded} />
    </Section>
  );
}

/** When the graph last changed, and whether it follows the folder. */
function UpdatedAgo({ at }: { at: number }): JSX.Element {
  const now = useNow(30_000, true);
  const freshness = useSelect((s) => s.freshness);
  const linked = useSelect((s) => s.link.state === "connected");
  const when = ago(at, now);
  if (!freshness) return <>{when}</>;
  if (freshness.state === "watching" && linked) return <span title={strings.repository.theGraphFollowsThe}>{strings.repository.watchingUpdated(when)}</span>;
  return <span title={freshness.state === "unknown" ? freshness.why : strings.repository.nobodyTellsOfChanges}>{strings.repository.notWatchingAsOf(when)}</span>;
}

function Figures({ loaded }: { loaded: Loaded }): JSX.Element {
  const { stats } = loaded.context;
  const figures: [Unit, number][] = [
    ["file", stats.files], ["symbol", stats.symbols], ["edge", stats.edges],
    ["function", stats.functions + stats.methods], ["cluster", stats.communities], ["process", stats.processes],
  ];
  return (
    <dl class="figures">
      {figures.map(([unit, n]) => <div key={unit}><dt>{unitOf(n, unit)}</dt><dd>{count(n)}</dd></div>)}
    </dl>
  );
}

function Languages({ languages }: { languages: Loaded["context"]["languages"] }): JSX.Element | null {
  const total = languages.reduce((sum, { files }) => sum + files, 0);
  if (total === 0) return null;
  const shown = [...languages].sort((a, b) => b.files - a.files).slice(0, 6);
  return (
    <div class="languages">
      <div class="bar" aria-hidden="true">
        {shown.map(({ language, files }, i) => <span key={language} style={{ flexGrow: files, background: `var(--cluster-${i})` }} />)}
      </div>
      <ul>
        {shown.map(({ language, files }, i) => (
          <li key={language} title={counted(files, "file")}>
            <span class="dot" style={{ background: `var(--cluster-${i})` }} />{language} <span class="muted">{count(files)}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}

function IndexTime({ loaded }: { loaded: Loaded }): JSX.Element | null {
  if (loaded.phases.length === 0) return null;
  const total = loaded.phases.reduce((sum, { ms }) => sum + ms, 0);
  return (
    <details class="fold">
      <summary>{strings.repository.indexedIn(duration(total))}</summary>
      <table class="times">
        <tbody>
          {loaded.phases.map(({ phase, ms }) => (
            <tr key={phase}><th scope="row">{PHASE_WORDS[phase].title}</th><td>{duration(ms)}</td></tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}

function LeftOut({ loaded: { skipped, syntaxErrors } }: { loaded: Loaded }): JSX.Element | null {
  if (skipped.length === 0 && syntaxErrors === 0) return null;
  const parts = [
    skipped.length > 0 ? strings.repository.leftOut(counted(skipped.length, "file")) : "",
    syntaxErrors > 0 ? strings.repository.withSyntaxErrors(counted(syntaxErrors, "file")) : "",
  ].filter((part) => part !== "");
  if (skipped.length === 0) return <p class="fold muted">{parts.join(", ")}</p>;
  return (
    <details class="fold">
      <summary>{parts.join(", ")}</summary>
      <ul class="skipped">
        {skipped.slice(0, SKIPPED_SHOWN).map(({ path, reason }) => (
          <li key={path}><span class="mono">{path}</span> <span class="muted">{reason}</span></li>
        ))}
        {skipped.length > SKIPPED_SHOWN && <li class="muted">{strings.repository.andMore(count(skipped.length - SKIPPED_SHOWN))}</li>}
      </ul>
    </details>
  );
}

export function Hotspots(): JSX.Element | null {
  const { store } = useApp();
  const hotspots = useSelect((s) => s.loaded?.context.hotspots);
  if (!hotspots || hotspots.length === 0) return null;
  return (
    <Section title={strings.repository.mostConnected}>
      <ul class="rows">
        {hotspots.slice(0, 6).map((spot) => (
          <li key={spot.id}>
            <button type="button" class="row" title={place(spot)} onClick={() => store.dispatch({ type: "select", node: spot })}>
              <KindDot kind={spot.kind} />
              <span class="row-name ellipsis">{cut(spot.name, 60)}</span>
              <span class="row-file ellipsis">{spot.file.slice(spot.file.lastIndexOf("/") + 1)}</span>
              <span class="row-aside">{count(spot.connections)}</span>
            </button>
          </li>
        ))}
      </ul>
    </Section>
  );
}
