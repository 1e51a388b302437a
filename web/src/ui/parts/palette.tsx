/** Finds symbols, files and commands by a few letters. */
import type { JSX } from "preact";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { hits, nodeRef, type Hit } from "../answers.ts";
import { COMMANDS, GROUPS, matches, type Command } from "../commands.ts";
import { useAnswer, useApp, useQuestion, useSelect } from "../hooks.ts";
import { KindDot, place } from "./basics.tsx";
import { strings } from "../strings.ts";

const SYMBOLS = 12;
const PAUSE = 100;

/** Firefox before 125 and Safari before 17 have none. */
const hasPopovers = "showPopover" in HTMLElement.prototype;

type Entry = { command: Command } | { hit: Hit };

export function Palette(): JSX.Element {
  const app = useApp();
  const { store } = app;
  const ready = useSelect((s) => s.loaded !== null);
  const dialog = useRef<HTMLDialogElement>(null);
  const list = useRef<HTMLUListElement>(null);
  const [text, setText] = useState("");
  const [query, setQuery] = useState("");
  const [at, setAt] = useState(0);
  // Before the next key: it is typed into the dialog. Not a modal one: the whole document's styles would have to be worked out again first.
  useLayoutEffect(() => {
    if (hasPopovers) dialog.current?.showPopover();
    else dialog.current?.showModal();
  }, []);
  useEffect(() => {
    const timer = setTimeout(() => setQuery(text.trim()), PAUSE);
    return () => clearTimeout(timer);
  }, [text]);
  useEffect(() => setAt(0), [text]);
  const answer = useAnswer(useQuestion("search", query === "" || !ready ? null : { query, limit: SYMBOLS, groupByProcess: false }), hits, true);
  const entries = useMemo<Entry[]>(() => {
    const found = answer.state === "ok" && text.trim() !== "" ? answer.value.map((hit) => ({ hit })) : [];
    const commands = COMMANDS.filter((command) => matches(command.title, text) && (command.can?.(app) ?? true)).map((command) => ({ command }));
    // Whole words of a command come before symbols that only sound like them.
    const [near, far] = [commands.filter(({ command }) => command.title.toLowerCase().includes(text.trim().toLowerCase())), commands.filter(({ command }) => !command.title.toLowerCase().includes(text.trim().toLowerCase()))];
    return text.trim() === "" ? commands : [...near, ...found, ...far];
  }, [answer, text]);
  const close = (): void => (hasPopovers ? dialog.current?.hidePopover() : dialog.current?.close());
  const closed = (): void => {
    if (store.state.panel === "palette") store.dispatch({ type: "panel", panel: null });
  };
  const choose = (entry: Entry | undefined, other: boolean): void => {
    if (!entry) return;
    close();
    if ("command" in entry) {
      // After the dialog has closed, which gives the focus back.
      setTimeout(() => entry.command.run(app));
      return;
    }
    const node = nodeRef(entry.hit.id);
    if (node) store.dispatch({ type: "go", to: { node: { ...node, line: entry.hit.line }, view: other ? "map" : "read" } });
  };
  const key = (e: KeyboardEvent): void => {
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, PageDown: at + 8, PageUp: at - 8 }[e.key];
    if (to !== undefined) {
      const next = Math.min(entries.length - 1, Math.max(0, to));
      setAt(next);
      list.current?.children[next]?.scrollIntoView({ block: "nearest" });
    } else if (e.key === "Enter") choose(entries[at], e.shiftKey);
    // Nothing else in it takes the focus, and what lies below has to wait.
    else if (e.key !== "Tab") return;
    e.preventDefault();
  };
  return (
    <dialog class="palette-ground" popover="auto" ref={dialog} aria-label={strings.palette.findASymbolA} onClick={(e) => e.target === dialog.current && close()}
      onToggle={(e) => e.newState === "closed" && closed()} onClose={closed}>
      <div class="dialog palette">
        <input autofocus type="text" value={text} placeholder={strings.palette.aSymbolAFile} spellcheck={false} autocomplete="off" role="combobox" aria-expanded="true"
          aria-label={strings.palette.aSymbolAFile} aria-controls="palette-list" aria-activedescendant={entries[at] ? `palette-${at}` : undefined} onInput={(e) => setText(e.currentTarget.value)} onKeyDown={key} />
        <ul id="palette-list" role="listbox" aria-label={strings.palette.found} ref={list}>
          {entries.map((entry, i) => (
            <li key={"hit" in entry ? entry.hit.id : entry.command.title} id={`palette-${i}`} role="option" aria-selected={i === at} class="hit" onMouseMove={() => setAt(i)} onClick={(e) => choose(entry, e.shiftKey)}>
              {"hit" in entry
                ? <><KindDot kind={entry.hit.kind} /><span class="hit-name ellipsis">{entry.hit.name}</span><span class="hit-kind">{entry.hit.kind}</span><span class="hit-place ellipsis">{place(entry.hit)}</span></>
                : <><span class="dot command-dot" /><span class="ellipsis">{entry.command.title}</span><span /><span class="hit-key">{entry.command.key !== "" && <kbd>{keyName(entry.command.key)}</kbd>}</span></>}
            </li>
          ))}
        </ul>
        <p class="palette-foot muted">{entries.length === 0 ? strings.palette.nothingMatchesTryA : strings.palette.enterOpensShiftEnter}</p>
        <span class="visually-hidden" role="status">{strings.palette.countFound(entries.length)}</span>
      </div>
    </dialog>
  );
}

/** Keys that are those of one part of the page. */
const ELSEWHERE: Partial<Record<Command["group"], readonly Pick<Command, "title" | "key">[]>> = {
  Find: [{ title: strings.palette.findInTheCode, key: "Ctrl f" }],
  Picture: [
    { title: strings.palette.alongTheRelationsOf, key: "Arrows" }, { title: strings.palette.openTheGroupOr, key: "Enter" }, { title: strings.palette.moveThePicture, key: "Shift Arrows" },
  ],
  Page: [{ title: strings.palette.closeClearLeave, key: "Esc" }],
};

/** As keyboards have it. */
function keyName(key: string): string {
  return key.replace(/^Ctrl (\w)$/u, (_, letter: string) => `Ctrl ${letter.toUpperCase()}`);
}

export function Help(): JSX.Element {
  const { store } = useApp();
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog class="dialog help" ref={dialog} aria-labelledby="help-title" onClose={() => store.dispatch({ type: "panel", panel: null })}>
      <h2 id="help-title">{strings.palette.shortcuts}</h2>
      <div class="shortcuts" tabIndex={0} role="group" aria-label={strings.palette.keys}>
        {GROUPS.map((group) => (
          <section key={group}>
            <h3>{group}</h3>
            <dl>{[...COMMANDS.filter((command) => command.group === group && command.key !== ""), ...(ELSEWHERE[group] ?? [])].map(({ title, key }) => <div key={key}><dt>{title}</dt><dd><kbd>{keyName(key)}</kbd></dd></div>)}</dl>
          </section>
        ))}
      </div>
      <form method="dialog"><button type="submit" class="button primary">{strings.palette.close}</button></form>
    </dialog>
  );
}
