/** The files with figures: the same code base as on the map, as a list that keys and screen readers walk. */
import type { JSX } from "preact";
import { useMemo, useRef, useState } from "preact/hooks";
import type { TreeAnswer, TreeEntry } from "../../engine/view/tree.ts";
import { useAnswer, useApp, useQuestion, useSelect } from "../hooks.ts";
import { count, counted } from "../words.ts";
import { KindDot, Section } from "./basics.tsx";
import { strings } from "../strings.ts";

interface Row {
  entry: TreeEntry;
  level: number;
  open: boolean;
}

export function FileTree(): JSX.Element | null {
  const { store } = useApp();
  const loaded = useSelect((s) => s.loaded !== null);
  const selected = useSelect((s) => s.place.node?.id);
  const skipped = useSelect((s) => s.loaded?.skipped);
  const [open, setOpen] = useState<readonly string[]>([""]);
  const [at, setAt] = useState(0);
  const list = useRef<HTMLUListElement>(null);
  const answer = useAnswer(useQuestion("view_tree", loaded ? { ids: open } : null), (value) => value as TreeAnswer, true);
  const rows = useMemo(() => (answer.state === "ok" ? rowsOf(answer.value, open) : []), [answer, open]);
  if (!loaded) return null;
  const toggle = (id: string): void => setOpen(open.includes(id) ? open.filter((each) => each !== id) : [...open, id]);
  const focus = (to: number): void => {
    const next = Math.min(rows.length - 1, Math.max(0, to));
    setAt(next);
    (list.current?.children[next] as HTMLElement | undefined)?.focus();
  };
  const choose = ({ entry }: Row): void => {
    if (entry.kind === "Folder") toggle(entry.id);
    else store.dispatch({ type: "go", to: { view: store.state.place.view === "map" ? "map" : "read", node: entry } });
  };
  const key = (e: KeyboardEvent): void => {
    const row = rows[at];
    if (!row) return;
    const { entry, level } = row;
    const actions: Record<string, () => void> = {
      ArrowDown: () => focus(at + 1), ArrowUp: () => focus(at - 1), Home: () => focus(0), End: () => focus(rows.length - 1),
      ArrowRight: () => (entry.group && !row.open ? toggle(entry.id) : focus(at + 1)),
      ArrowLeft: () => (row.open ? toggle(entry.id) : focus(rows.findLastIndex((other, i) => i < at && other.level < level))),
      Enter: () => choose(row),
      " ": () => choose(row),
    };
    const action = actions[e.key];
    if (!action) return;
    e.preventDefault();
    e.stopPropagation();
    action();
  };
  return (
    <Section title={strings.tree.files} open={false} aside={skipped && skipped.length > 0 ? <span title={skipped.slice(0, 20).map(({ path, reason }) => `${path}: ${reason}`).join("\n")}>{strings.tree.leftOut(count(skipped.length))}</span> : ""}>
      <ul class="tree" role="tree" aria-label={strings.tree.files} ref={list} onKeyDown={key}>
        {rows.map((row, i) => (
          <li key={`${row.entry.id} ${row.level}`} role="treeitem" aria-level={row.level} aria-expanded={row.entry.group ? row.open : undefined} aria-selected={row.entry.id === selected}
            tabIndex={i === at ? 0 : -1} style={{ paddingLeft: `${4 + 13 * (row.level - 1)}px` }} class={row.entry.test ? "quiet" : ""}
            title={`${row.entry.name}: ${counted(row.entry.symbols, "symbol")}${row.entry.dependents > 0 ? strings.tree.useIt(counted(row.entry.dependents, "file")) : ""}`}
            onFocus={() => setAt(i)} onClick={() => choose(row)}>
            <span class="twist" aria-hidden="true" onClick={(e) => {
              if (!row.entry.group) return;
              e.stopPropagation();
              toggle(row.entry.id);
            }}>{row.entry.group ? (row.open ? "▾" : "▸") : ""}</span>
            <KindDot kind={row.entry.kind} />
            <span class="ellipsis mono">{row.entry.name}</span>
            <span class="row-aside">{row.entry.dependents > 0 ? `${count(row.entry.dependents)} ← ` : ""}{row.entry.group ? count(row.entry.symbols) : ""}</span>
          </li>
        ))}
      </ul>
    </Section>
  );
}

function rowsOf(answer: TreeAnswer, open: readonly string[]): Row[] {
  const rows: Row[] = [];
  const put = (id: string, level: number): void => {
    for (const entry of answer[id] ?? []) {
      const isOpen = open.includes(entry.id) && answer[entry.id] !== undefined;
      rows.push({ entry, level, open: isOpen });
      if (isOpen) put(entry.id, level + 1);
    }
  };
  put("", 1);
  return rows;
}
