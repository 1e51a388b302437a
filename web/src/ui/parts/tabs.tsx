/** The repositories that are open, once there are several. */
import type { JSX } from "preact";
import { useRef } from "preact/hooks";
import { AppContext, moveFocus, useApp, useSelect } from "../hooks.ts";
import type { Tab } from "../workspace.ts";
import { count } from "../words.ts";
import { IconButton } from "./basics.tsx";
import { CloseIcon, PlusIcon, Spinner } from "./icons.tsx";
import { strings } from "../strings.ts";

export function Tabs(): JSX.Element | null {
  const app = useApp();
  const { workspace } = app;
  const list = useRef<HTMLUListElement>(null);
  if (workspace.tabs.length < 2) return null;
  return (
    <nav class="repo-tabs" aria-label={strings.tabs.repositories}>
      <ul ref={list} onKeyDown={(e) => list.current && moveFocus(e, list.current, ".repo-tab", true)}>
        {workspace.tabs.map((tab) => (
          <AppContext.Provider key={tab.id} value={{ ...app, store: tab.session.store, session: tab.session }}><TabItem tab={tab} /></AppContext.Provider>
        ))}
      </ul>
      <IconButton label={strings.tabs.openAnotherRepository} onClick={() => workspace.open()}><PlusIcon /></IconButton>
    </nav>
  );
}

function TabItem({ tab }: { tab: Tab }): JSX.Element {
  const { workspace } = useApp();
  const name = useSelect((s) => s.indexing?.name || (s.loaded?.context.repo ?? ""));
  const busy = useSelect((s) => s.indexing !== null && !s.indexing.behind);
  const failed = useSelect((s) => s.failure !== null || s.crashed !== null);
  const running = useSelect((s) => s.calls.filter(({ outcome }) => outcome === "running").length);
  const title = name === "" ? strings.tabs.newTab : name;
  const shown = tab === workspace.active;
  return (
    <li class={shown ? "on" : ""}>
      <button type="button" class="repo-tab" aria-current={shown ? "true" : undefined} title={title} onClick={() => workspace.show(tab.id)}>
        {busy ? <Spinner /> : failed ? <span class="status-dot bad" /> : null}
        <span class="ellipsis">{title}</span>
        {failed && <span class="visually-hidden">{strings.tabs.failed}</span>}
        {running > 0 && <span class="tab-calls" title={strings.tabs.callsRunning(count(running))}>{count(running)}<span class="visually-hidden"> {strings.tabs.areRunning}</span></span>}
      </button>
      <button type="button" class="icon-button bare" aria-label={strings.tabs.close(title)} title={strings.tabs.close(title)} onClick={() => workspace.close(tab.id)}><CloseIcon /></button>
    </li>
  );
}
