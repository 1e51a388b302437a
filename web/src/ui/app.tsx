/** The whole view: puts the parts together and owns what concerns them all (keys, theme, announcements). */
import { render, type ComponentChildren, type JSX } from "preact";
import { useEffect, useLayoutEffect, useMemo, useReducer, useRef, useState } from "preact/hooks";
import { AppContext, useApp, useMedia, useSelect, useTheme, type App } from "./hooks.ts";
import { Agents, Calls } from "./parts/calls.tsx";
import { Header } from "./parts/header.tsx";
import { Inspector } from "./parts/inspector.tsx";
import { Intake } from "./parts/intake.tsx";
import { Help, Palette } from "./parts/palette.tsx";
import { Hotspots, Repository } from "./parts/repository.tsx";
import { Settings } from "./parts/settings.tsx";
import { Stage } from "./parts/stage.tsx";
import { Tabs } from "./parts/tabs.tsx";
import { Clusters } from "./parts/clusters.tsx";
import { FileTree } from "./parts/tree.tsx";
import { showAppearance } from "./appearance.ts";
import { publish } from "./report.ts";
import type { Memories } from "./sealed.ts";
import { shown, type AppState } from "./state.ts";
import { commandOf } from "./commands.ts";
import { keepTrail } from "./trail.ts";
import type { Workspace } from "./workspace.ts";
import { counted, linkWords, PHASE_WORDS } from "./words.ts";
import { strings } from "./strings.ts";
import { showHidden } from "./visible.ts";

/** Renders the view into an element. */
export function mount(root: HTMLElement, workspace: Workspace, memories: Memories): void {
  root.replaceChildren();
  showHidden();
  render(<Shown workspace={workspace} memories={memories} />, root);
}

/** The tab in front, as a tree of its own: nothing of another tab is left in its parts. */
function Shown({ workspace, memories }: { workspace: Workspace; memories: Memories }): JSX.Element {
  const [, again] = useReducer((n: number) => n + 1, 0);
  useLayoutEffect(() => workspace.subscribe(() => again(0)), [workspace]);
  const { id, session } = workspace.active;
  const app = useMemo<App>(() => ({ store: session.store, session, workspace, memories, picture: { current: null }, pick: { folder: () => undefined, zip: () => undefined } }), [session]);
  return <AppContext.Provider key={id} value={app}><View /></AppContext.Provider>;
}

function View(): JSX.Element {
  const app = useApp();
  const { store, picture } = app;
  const theme = useTheme();
  const density = useSelect((s) => s.density);
  const colours = useSelect((s) => s.colours);
  const narrow = useMedia("(max-width: 1099px)");
  const [drawer, setDrawer] = useState(false);
  const search = useRef<HTMLInputElement>(null);
  const drawerOpen = narrow && drawer;

  // Before any effect of the parts, which read colours that depend on it.
  useMemo(() => showAppearance(document.documentElement, { theme, density, colours }, theme === "dark"), [theme, density, colours]);
  useLayoutEffect(() => publish(store, picture), [store]);
  useEffect(() => keepTrail(store, app.memories.walks), [store]);
  useEffect(() => {
    const key = (e: KeyboardEvent): void => {
      if (e.defaultPrevented) return;
      const target = e.composedPath()[0];
      const typing = target instanceof HTMLTextAreaElement || (target instanceof HTMLElement && target.isContentEditable) || (target instanceof HTMLInputElement && target.type !== "checkbox" && target.type !== "radio" && target.type !== "range");
      const command = commandOf(e);
      // Single keys are text where one types; in a dialog they are its own.
      if (command && (e.ctrlKey || e.metaKey || (!typing && store.state.panel === null)) && (command.can?.(app) ?? true)) {
        e.preventDefault();
        command.run(app);
      } else if (e.key === "Escape") {
        if (store.state.panel !== null) return;
        if (drawerOpen) setDrawer(false);
        else if (store.state.highlight || store.state.annotations.length > 0) store.dispatch({ type: "clearHighlight" });
        else if (store.state.notice) store.dispatch({ type: "notice", notice: null });
        else if (store.state.place.view === "map") store.dispatch({ type: "deselect" });
      }
    };
    window.addEventListener("keydown", key);
    return () => window.removeEventListener("keydown", key);
  }, [store, drawerOpen]);

  return (
    <Frame>
      <a class="skip" href="#stage" onClick={(e) => {
        e.preventDefault();
        document.getElementById("stage")?.focus();
      }}>{strings.app.skipToTheGraph}</a>
      <Tabs />
      <Header search={search} drawer={drawerOpen} onDrawer={() => setDrawer(!drawer)} />
      <div class="body">
        <Sidebar hidden={narrow && !drawer} />
        {drawerOpen && <div class="veil" onClick={() => setDrawer(false)} />}
        <Stage />
        <Inspector />
      </div>
      <Panel />
      <Intake />
      <Announcements />
    </Frame>
  );
}

/** A component of its own, so that a selection renders nothing of what is in it. */
function Frame({ children }: { children: ComponentChildren }): JSX.Element {
  const inspecting = useSelect((s) => s.place.view === "map" && shown(s) !== undefined);
  return <div class={inspecting ? "app inspecting" : "app"}>{children}</div>;
}

function Panel(): JSX.Element | null {
  const panel = useSelect((s) => s.panel);
  switch (panel) {
    case "settings": return <Settings />;
    case "palette": return <Palette />;
    case "help": return <Help />;
    default: return null;
  }
}

function Sidebar({ hidden }: { hidden: boolean }): JSX.Element {
  return (
    <nav class="sidebar" id="sidebar" aria-label={strings.app.repositoryAgentsAndCalls} hidden={hidden}>
      <Repository />
      <Hotspots />
      <FileTree />
      <Clusters />
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
  const pointing = useSelect((s) => (s.highlight ? strings.app.pointsAt(s.highlight.agent, counted(s.highlight.nodeIds.length, "node")) : ""));
  return (
    <div class="visually-hidden">
      <p aria-live="polite" id="link-status">{title}. {detail}</p>
      <p aria-live="polite" id="work-status">{work}</p>
      <p aria-live="polite">{pointing}</p>
    </div>
  );
}

function workWords({ indexing, failure, loaded }: AppState): string {
  if (indexing) return indexing.phase ? PHASE_WORDS[indexing.phase].title : strings.app.loading(indexing.name);
  if (failure !== null) return failure;
  return loaded ? strings.app.isLoaded(loaded.context.repo, counted(loaded.context.stats.nodes, "node")) : "";
}
