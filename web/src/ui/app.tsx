/** The whole view: puts the parts together and owns what concerns them all (keys, theme, announcements). */
import { render, type JSX } from "preact";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import type { GraphDrawing } from "./graph/drawing.ts";
import { AppContext, useApp, useMedia, useSelect, useTheme, type App } from "./hooks.ts";
import { Agents, Calls } from "./parts/calls.tsx";
import { Header } from "./parts/header.tsx";
import { Inspector } from "./parts/inspector.tsx";
import { Intake } from "./parts/intake.tsx";
import { Hotspots, Repository } from "./parts/repository.tsx";
import { Stage } from "./parts/stage.tsx";
import { publish } from "./report.ts";
import type { Session } from "./session.ts";
import { shown, type AppState } from "./state.ts";
import { counted, linkWords, PHASE_WORDS } from "./words.ts";

/** Renders the view into an element. The session is started by who made it. */
export function mount(root: HTMLElement, session: Session): void {
  const app: App = { store: session.store, session, pick: { folder: () => undefined, zip: () => undefined } };
  render(<AppContext.Provider value={app}><View /></AppContext.Provider>, root);
}

function View(): JSX.Element {
  const { store } = useApp();
  const theme = useTheme();
  const narrow = useMedia("(max-width: 1099px)");
  const [drawer, setDrawer] = useState(false);
  const inspecting = useSelect((s) => shown(s) !== undefined);
  const search = useRef<HTMLInputElement>(null);
  const drawing = useRef<GraphDrawing>(null);
  const drawerOpen = narrow && drawer;

  // Before any effect of the parts, which read colours that depend on it.
  useMemo(() => (document.documentElement.dataset["theme"] = theme), [theme]);
  useLayoutEffect(() => publish(store, () => drawing.current?.drawnNodes() ?? 0), [store]);
  useEffect(() => {
    const key = (e: KeyboardEvent): void => {
      const typing = e.target instanceof HTMLInputElement && e.target.type === "text";
      if (e.key === "/" && !typing && !e.ctrlKey && !e.metaKey && !e.altKey) {
        e.preventDefault();
        search.current?.focus();
        search.current?.select();
      } else if (e.key === "Escape") {
        if (drawerOpen) setDrawer(false);
        else if (store.state.highlight || store.state.annotations.length > 0) store.dispatch({ type: "clearHighlight" });
        else if (store.state.notice) store.dispatch({ type: "notice", notice: null });
        else store.dispatch({ type: "deselect" });
      }
    };
    window.addEventListener("keydown", key);
    return () => window.removeEventListener("keydown", key);
  }, [store, drawerOpen]);

  return (
    <div class={inspecting ? "app inspecting" : "app"}>
      <a class="skip" href="#stage" onClick={(e) => {
        e.preventDefault();
        document.getElementById("stage")?.focus();
      }}>Skip to the graph</a>
      <Header search={search} drawer={drawerOpen} onDrawer={() => setDrawer(!drawer)} />
      <div class="body">
        <Sidebar hidden={narrow && !drawer} />
        {drawerOpen && <div class="veil" onClick={() => setDrawer(false)} />}
        <Stage drawing={drawing} />
        <Inspector onFocusNode={(id) => drawing.current?.show([id])} />
      </div>
      <Intake />
      <Announcements />
    </div>
  );
}

function Sidebar({ hidden }: { hidden: boolean }): JSX.Element {
  return (
    <nav class="sidebar" id="sidebar" aria-label="Repository, agents and calls" hidden={hidden}>
      <Repository />
      <Hotspots />
      <Agents />
      <Calls />
    </nav>
  );
}

/** For screen readers: what changed, once for each change. */
function Announcements(): JSX.Element {
  const link = useSelect((s) => s.link);
  const { title, detail } = useMemo(() => linkWords(link), [link]);
  const work = useSelect(workWords);
  const pointing = useSelect((s) => (s.highlight ? `${s.highlight.agent} points at ${counted(s.highlight.nodeIds.length, "node")}` : ""));
  return (
    <div class="visually-hidden">
      <p aria-live="polite" id="link-status">{title}. {detail}</p>
      <p aria-live="polite" id="work-status">{work}</p>
      <p aria-live="polite">{pointing}</p>
    </div>
  );
}

function workWords({ indexing, failure, loaded }: AppState): string {
  if (indexing) return indexing.phase ? PHASE_WORDS[indexing.phase].title : `Loading ${indexing.name}`;
  if (failure !== null) return failure;
  return loaded ? `${loaded.context.repo} is loaded: ${counted(loaded.view.totalNodes, "node")}` : "";
}
