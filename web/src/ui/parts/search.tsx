/** The search box: asks the engine's `search` as the user types. A combobox: arrows choose, Enter opens, Escape clears. */
import type { JSX, RefObject } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { hits, type Hit } from "../answers.ts";
import { useAnswer, useApp, useSelect } from "../hooks.ts";
import { KindDot, place } from "./basics.tsx";
import { CloseIcon, SearchIcon, Spinner } from "./icons.tsx";
import { strings } from "../strings.ts";

const LIMIT = 30;
/** Milliseconds without a key before the engine is asked. */
const PAUSE = 120;

export function Search({ input }: { input: RefObject<HTMLInputElement> }): JSX.Element {
  const { store } = useApp();
  const ready = useSelect((s) => s.loaded !== null);
  const [text, setText] = useState("");
  const [query, setQuery] = useState("");
  const [open, setOpen] = useState(false);
  const [at, setAt] = useState(0);
  const box = useRef<HTMLDivElement>(null);
  const list = useRef<HTMLUListElement>(null);

  useEffect(() => {
    const timer = setTimeout(() => setQuery(text.trim()), PAUSE);
    return () => clearTimeout(timer);
  }, [text]);
  useEffect(() => setAt(0), [query]);

  const question = useMemo(
    () => (query === "" ? null : { tool: "search", arguments: { query, limit: LIMIT, groupByProcess: false } }),
    [query],
  );
  const answer = useAnswer(question, hits);
  const found = answer.state === "ok" ? answer.value : [];
  const showing = open && query !== "" && text.trim() !== "";

  const choose = (hit: Hit | undefined): void => {
    if (!hit) return;
    store.dispatch({ type: "select", node: hit });
    setOpen(false);
    input.current?.blur();
  };
  const go = (to: number): void => {
    const next = Math.min(found.length - 1, Math.max(0, to));
    setAt(next);
    list.current?.children[next]?.scrollIntoView({ block: "nearest" });
  };
  const key = (e: KeyboardEvent): void => {
    if (e.key === "ArrowDown") go(showing ? at + 1 : at);
    else if (e.key === "ArrowUp") go(at - 1);
    else if (e.key === "Enter" && showing) choose(found[at]);
    else if (e.key === "Escape" && text !== "") setText("");
    else if (e.key === "Escape") input.current?.blur();
    else return;
    e.preventDefault();
    // Escape is the search's own while it has the focus.
    e.stopPropagation();
    if (e.key.startsWith("Arrow")) setOpen(true);
  };

  return (
    <div class="search" ref={box} role="search" onFocusOut={(e) => {
      if (!box.current?.contains(e.relatedTarget as Node | null)) setOpen(false);
    }}>
      <label class="search-box">
        {answer.state === "loading" ? <Spinner /> : <SearchIcon />}
        <span class="visually-hidden">{strings.search.searchSymbols}</span>
        <input ref={input} type="text" value={text} disabled={!ready} spellcheck={false} autocomplete="off"
          placeholder={ready ? strings.search.searchSymbols : strings.search.searchOnceAGraph}
          role="combobox" aria-autocomplete="list" aria-expanded={showing} aria-controls="search-hits"
          aria-activedescendant={showing && found[at] ? `hit-${at}` : undefined}
          onInput={(e) => {
            setText(e.currentTarget.value);
            setOpen(true);
          }}
          onFocus={() => setOpen(true)} onKeyDown={key} />
        {text === ""
          ? <kbd aria-hidden="true">/</kbd>
          : <button type="button" class="icon-button bare" aria-label={strings.search.clearTheSearch} onClick={() => { setText(""); input.current?.focus(); }}><CloseIcon /></button>}
      </label>
      {showing && (
        <div class="popover search-results" onMouseDown={(e) => e.preventDefault()}>
          {answer.state === "error" && <p class="popover-note bad">{answer.message}</p>}
          {answer.state === "loading" && found.length === 0 && <p class="popover-note">{strings.search.searching}</p>}
          {answer.state === "ok" && found.length === 0 && <p class="popover-note">{strings.search.noSymbolMatchesTry(query)}</p>}
          <ul id="search-hits" role="listbox" aria-label={strings.search.searchResults} ref={list}>
            {found.map((hit, i) => (
              <li key={hit.id} id={`hit-${i}`} role="option" aria-selected={i === at} class="hit"
                onMouseMove={() => setAt(i)} onClick={() => choose(hit)}>
                <KindDot kind={hit.kind} />
                <span class="hit-name ellipsis"><Marked text={hit.name} query={query} /></span>
                <span class="hit-kind">{hit.kind}</span>
                <span class="hit-place ellipsis" title={place(hit)}>{place(hit)}</span>
              </li>
            ))}
          </ul>
        </div>
      )}
      <span class="visually-hidden" role="status">{showing && answer.state === "ok" ? strings.search.results(found.length) : ""}</span>
    </div>
  );
}

/** The matching part of a name, marked. */
function Marked({ text, query }: { text: string; query: string }): JSX.Element {
  const at = text.toLowerCase().indexOf(query.toLowerCase());
  if (at < 0) return <>{text}</>;
  return <>{text.slice(0, at)}<mark>{text.slice(at, at + query.length)}</mark>{text.slice(at + query.length)}</>;
}
