/** The clusters and processes as lists: what the map shows of them, for keys and screen readers. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { NodeKind } from "../../engine/graph.ts";
import { useAnswer, useApp, useQuestion, useSelect } from "../hooks.ts";
import { strings } from "../strings.ts";
import { count, counted, type Unit } from "../words.ts";
import { KindDot, Section } from "./basics.tsx";

/** As `overview` answers. */
interface Overview {
  clusters?: Part;
  processes?: Part;
}
interface Part {
  total: number;
  items: [id: string, name: string, size: number][];
}

const SHOWN = 100;

export function Clusters(): JSX.Element | null {
  const loaded = useSelect((s) => s.loaded !== null);
  // Nobody waits for them until they are looked at.
  const [open, setOpen] = useState(false);
  const answer = useAnswer(useQuestion("overview", loaded && open ? { limit: SHOWN } : null), (value) => value as Overview, true);
  if (!loaded) return null;
  return (
    <Section title={strings.clusters.clustersAndProcesses} open={open} onToggle={setOpen}>
      {answer.state === "error" && <p class="empty">{answer.message}</p>}
      {answer.state === "ok" && <>
        <List title={strings.clusters.clusters} part={answer.value.clusters} view="read" kind="Community" unit="symbol" />
        <List title={strings.clusters.processes} part={answer.value.processes} view="process" kind="Process" unit="step" />
      </>}
    </Section>
  );
}

function List({ title, part, view, kind, unit }: { title: string; part: Part | undefined; view: "read" | "process"; kind: NodeKind; unit: Unit }): JSX.Element | null {
  const { store } = useApp();
  if (!part) return null;
  return (
    <>
      <h3 class="pad-small">{title} <span class="aside">{count(part.total)}</span></h3>
      <ul class="rows" aria-label={title}>
        {part.items.map(([id, name, size]) => (
          <li key={id}>
            <button type="button" class="row" onClick={() => store.dispatch({ type: "go", to: { view, node: { id, name, kind, file: "", line: 0 } } })}>
              <KindDot kind={kind} />
              <span class="row-name ellipsis">{name}</span>
              <span class="row-aside">{counted(size, unit)}</span>
            </button>
          </li>
        ))}
        {part.total > part.items.length && <li class="muted pad-small">{strings.clusters.andMore(count(part.total - part.items.length))}</li>}
      </ul>
    </>
  );
}
