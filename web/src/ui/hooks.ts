import { createContext } from "preact";
import { useContext, useEffect, useMemo, useReducer, useRef, useState } from "preact/hooks";
import type { GraphDrawing } from "./graph/drawing.ts";
import { themeOf } from "./appearance.ts";
import type { Memories, Sealed } from "./sealed.ts";
import { AskError, type Session } from "./session.ts";
import type { AppState } from "./state.ts";
import type { Store } from "./store.ts";
import type { Workspace } from "./workspace.ts";

/** What components use besides their props. */
export interface App {
  store: Store;
  session: Session;
  /** All repositories that are open; this one is shown. */
  workspace: Workspace;
  memories: Memories;
  /** The drawing on the stage, while there is one. */
  picture: { current: GraphDrawing | null };
  /** Opens the file dialogs; set by Intake. */
  pick: { folder(): void; zip(): void };
}

export const AppContext = createContext<App | null>(null);

export function useApp(): App {
  const app = useContext(AppContext);
  // eslint-disable-next-line no-restricted-syntax -- nobody reads it but who writes a component
  if (!app) throw new Error("useApp needs an AppContext above it");
  return app;
}

/** A part of the state; renders again when that part is another one. */
export function useSelect<T>(select: (state: AppState) => T): T {
  const { store } = useApp();
  const [, again] = useReducer((n: number) => n + 1, 0);
  const current = select(store.state);
  const latest = useRef({ select, current });
  latest.current = { select, current };
  useEffect(() => {
    const check = (): void => {
      const { select, current } = latest.current;
      if (!Object.is(select(store.state), current)) again(0);
    };
    check();
    return store.subscribe(check);
  }, [store]);
  return current;
}

/** What the page remembers; renders again when that is another. */
export function useSealed<T>(sealed: Sealed<T>): T {
  const [, again] = useReducer((n: number) => n + 1, 0);
  const shown = sealed.value;
  useEffect(() => {
    const end = sealed.subscribe(() => again(0));
    if (sealed.value !== shown) again(0); // it became known between the drawing and this
    return end;
  }, [sealed]);
  return shown;
}

/** The time in milliseconds since the epoch, told anew every `interval` while `active`. */
export function useNow(interval: number, active: boolean): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    if (!active) return undefined;
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), interval);
    return () => clearInterval(timer);
  }, [interval, active]);
  return active ? now : Date.now();
}

export function useMedia(query: string): boolean {
  const [matches, setMatches] = useState(() => matchMedia(query).matches);
  useEffect(() => {
    const media = matchMedia(query);
    const tell = (): void => setMatches(media.matches);
    tell();
    media.addEventListener("change", tell);
    return () => media.removeEventListener("change", tell);
  }, [query]);
  return matches;
}

export function useTheme(): "dark" | "light" {
  const choice = useSelect((s) => s.theme);
  const dark = useMedia("(prefers-color-scheme: dark)");
  return themeOf(choice, dark);
}

/** `version`: of the graph that was asked. */
export type Answer<T> = { state: "none" } | { state: "loading" } | { state: "ok"; value: T; version: number } | { state: "error"; message: string };

export interface Question {
  tool: string;
  arguments: Record<string, unknown>;
}

/**
 * Asks the engine whenever the question is another one, or the graph is; an answer to an older question is dropped. What was
 * answered before stays until there is a better answer: to the same question, or with `keep` to any.
 */
export function useAnswer<T>(question: Question | null, read: (answer: unknown) => T, keep = false): Answer<T> {
  const { session } = useApp();
  const version = useSelect((s) => s.loaded?.version ?? 0);
  const asked = question && version > 0 ? `${question.tool} ${JSON.stringify(question.arguments)}` : null;
  const [kept, setKept] = useState<{ asked: string; answer: Answer<T> } | null>(null);
  useEffect(() => {
    if (!question || asked === null) return undefined;
    let wanted = true;
    session.ask(question.tool, question.arguments).then(
      (answer) => wanted && setKept({ asked, answer: { state: "ok", value: read(answer), version } }),
      (why: unknown) => wanted && setKept({ asked, answer: { state: "error", message: why instanceof AskError ? why.message : String(why) } }),
    );
    return () => {
      wanted = false;
    };
  }, [session, asked, version]);
  if (asked === null) return { state: "none" };
  return kept && (kept.asked === asked || (keep && kept.answer.state === "ok")) ? kept.answer : { state: "loading" };
}

/** Two answers about one graph. After an edit the former two stay until both are there, so that what is said of a line fits the text. */
export function useBoth<A, B>(a: Answer<A>, b: Answer<B>): [Answer<A>, Answer<B>] {
  const both = useRef<[Answer<A>, Answer<B>]>([a, b]);
  if (a.state !== "ok" || b.state !== "ok" || a.version === b.version) both.current = [a, b];
  return both.current;
}

/** The same question as long as its content is the same. */
export function useQuestion(tool: string, args: Record<string, unknown> | null): Question | null {
  const key = JSON.stringify(args);
  return useMemo(() => (args === null ? null : { tool, arguments: args }), [tool, key]);
}

/** Arrow keys, Home and End move the focus among a list's focusable rows; `across`: they stand side by side. */
export function moveFocus(event: KeyboardEvent, list: HTMLElement, rows = "button", across = false): void {
  const all = [...list.querySelectorAll<HTMLElement>(rows)].filter((row) => row.offsetParent !== null);
  const at = all.indexOf(document.activeElement as HTMLElement);
  if (at < 0) return;
  const to = { [across ? "ArrowRight" : "ArrowDown"]: at + 1, [across ? "ArrowLeft" : "ArrowUp"]: at - 1, Home: 0, End: all.length - 1 }[event.key];
  if (to === undefined) return;
  event.preventDefault();
  all[Math.min(all.length - 1, Math.max(0, to))]?.focus();
}
