import type { JSX, RefObject } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { useApp, useSelect } from "../hooks.ts";
import type { ThemeChoice } from "../appearance.ts";
import { save } from "../save.ts";
import { count } from "../words.ts";
import { IconButton } from "./basics.tsx";
import { CommandIcon, ExportIcon, FolderIcon, GearIcon, Mark, MoonIcon, PanelIcon, PlusIcon, ReloadIcon, Spinner, SunIcon, SystemIcon, ZipIcon } from "./icons.tsx";
import { LinkPill } from "./link.tsx";
import { Search } from "./search.tsx";
import { strings } from "../strings.ts";

export function Header({ search, drawer, onDrawer }: { search: RefObject<HTMLInputElement>; drawer: boolean; onDrawer: () => void }): JSX.Element {
  const { store } = useApp();
  const running = useSelect((s) => s.calls.filter((call) => call.outcome === "running").length);
  return (
    <header class="header">
      <div class="header-start">
      <button type="button" class="icon-button drawer-toggle" aria-label={running > 0 ? strings.header.activityCallsRunning(running) : strings.header.activity}
        title={strings.header.activity} aria-expanded={drawer} aria-controls="sidebar" onClick={onDrawer}>
        <PanelIcon />
        {running > 0 && <span class="badge" aria-hidden="true">{running}</span>}
      </button>
      <div class="brand"><Mark /><span>{strings.header.gitnexus}</span></div>
      <RepositoryTitle />
      </div>
      <Search input={search} />
      <div class="header-end">
        <LinkPill />
        <LoadMenu />
        <ExportButton />
        <span class="roomy-only"><IconButton label={strings.header.findAnythingCtrlK} onClick={() => store.dispatch({ type: "panel", panel: "palette" })}><CommandIcon /></IconButton>
        <ThemeButton /></span>
        <IconButton label={strings.header.settings} onClick={() => store.dispatch({ type: "panel", panel: "settings" })}><GearIcon /></IconButton>
      </div>
    </header>
  );
}

function RepositoryTitle(): JSX.Element | null {
  const loaded = useSelect((s) => s.loaded);
  if (!loaded) return null;
  const { nodes, edges } = { nodes: loaded.context.stats.nodes, edges: loaded.context.stats.edges };
  return (
    <div class="repo-title">
      <span class="repo-name ellipsis" title={loaded.context.repo}>{loaded.context.repo}</span>
      <span class="repo-figures">{strings.header.nodesEdges(count(nodes), count(edges))}</span>
    </div>
  );
}

function LoadMenu(): JSX.Element {
  const { session, pick, workspace } = useApp();
  const hubRepo = useSelect((s) => (s.link.state === "connected" ? s.link.hub.repo : ""));
  const [open, setOpen] = useState(false);
  const root = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const items: { label: string; icon: JSX.Element; run: () => void }[] = [
    ...(hubRepo === "" ? [] : [{ label: strings.header.loadFromGitnexusMcp(hubRepo), icon: <ReloadIcon />, run: () => session.loadFromHub() }]),
    { label: strings.header.pickAFolder, icon: <FolderIcon />, run: () => pick.folder() },
    { label: strings.header.pickAZip, icon: <ZipIcon />, run: () => pick.zip() },
    { label: strings.header.anotherRepositoryInA, icon: <PlusIcon />, run: () => void workspace.open() },
  ];
  useEffect(() => {
    if (open) root.current?.querySelector<HTMLElement>("[role=menuitem]")?.focus();
  }, [open]);
  const key = (e: KeyboardEvent): void => {
    if (!open) return;
    const all = [...(root.current?.querySelectorAll<HTMLElement>("[role=menuitem]") ?? [])];
    const at = all.indexOf(document.activeElement as HTMLElement);
    if (e.key === "Escape") {
      setOpen(false);
      button.current?.focus();
    } else if (e.key === "ArrowDown") all[(at + 1) % all.length]?.focus();
    else if (e.key === "ArrowUp") all[(at + all.length - 1) % all.length]?.focus();
    else return;
    e.preventDefault();
    e.stopPropagation();
  };
  return (
    <div class="menu-root" ref={root} onKeyDown={key} onFocusOut={(e) => {
      if (!root.current?.contains(e.relatedTarget as Node | null)) setOpen(false);
    }}>
      <button type="button" ref={button} class="button" aria-label={strings.header.load} aria-haspopup="menu" aria-expanded={open} onClick={() => setOpen(!open)}>
        <FolderIcon /><span class="wide-only">{strings.header.load}</span>
      </button>
      {open && (
        <div class="popover menu" role="menu" aria-label={strings.header.loadARepository}>
          {items.map(({ label, icon, run }) => (
            <button key={label} type="button" role="menuitem" tabIndex={-1} onClick={() => { setOpen(false); run(); }}>{icon}<span>{label}</span></button>
          ))}
          <p class="menu-note muted">{strings.header.orDropAFolder}</p>
        </div>
      )}
    </div>
  );
}

function ExportButton(): JSX.Element {
  const { session, store } = useApp();
  const repo = useSelect((s) => s.loaded?.context.repo ?? null);
  const [busy, setBusy] = useState(false);
  const run = (): void => {
    if (repo === null || busy) return;
    setBusy(true);
    session.exportGraph()
      .then((json) => save(new Blob([json], { type: "application/json" }), `${repo.replace(/[^\w.-]+/g, "-")}.code-graph.json`))
      .catch((why: unknown) => store.dispatch({ type: "notice", notice: { tone: "bad", text: strings.header.theGraphCouldNot(why instanceof Error ? why.message : String(why)) } }))
      .finally(() => setBusy(false));
  };
  return <IconButton label={strings.header.exportTheGraphAs} disabled={repo === null} onClick={run}>{busy ? <Spinner /> : <ExportIcon />}</IconButton>;
}

const THEMES: Record<ThemeChoice, { next: ThemeChoice; label: string; icon: () => JSX.Element }> = {
  system: { next: "dark", label: strings.header.themeAsTheSystem, icon: SystemIcon },
  dark: { next: "light", label: strings.header.themeDarkSwitchTo, icon: MoonIcon },
  light: { next: "system", label: strings.header.themeLightSwitchTo, icon: SunIcon },
};

function ThemeButton(): JSX.Element {
  const { store } = useApp();
  const { next, label, icon: Icon } = THEMES[useSelect((s) => s.theme)];
  return <IconButton label={label} onClick={() => store.dispatch({ type: "theme", theme: next })}><Icon /></IconButton>;
}
