/** The app, after its first frame. Its threads start before the view's own code is there: agents wait for them, and not for what is drawn. */
import { setCode, startWorker } from "./code.ts";
import { loadCode } from "./code-files.ts";
import type { EngineCommand, EngineEvent, LinkCommand, LinkEvent } from "./messages.ts";
import { HOME, placeOf } from "./ui/address.ts";
import { dropFormerToken, takeTicket, watchTicket } from "./ui/pairing.ts";
import { keepChoices, readChoices, separateRoots } from "./ui/preferences.ts";
import { watchPresence } from "./ui/presence.ts";
import { publish } from "./ui/report.ts";
import { memories } from "./ui/sealed.ts";
import { Session, threadOf } from "./ui/session.ts";
import { initialState } from "./ui/state.ts";
import { Store } from "./ui/store.ts";
import { Workspace } from "./ui/workspace.ts";
import "./ui/styles/app.css";

setCode(await loadCode());
let firstEngine: Worker | undefined = startWorker("engine");
let firstLink: Worker | undefined = startWorker("link");

// Before the address is read, so that the ticket is not taken for a place.
const ticket = takeTicket(window);
// The address without a ticket may lead to what another program once told the browser to keep. This takes its place.
if (ticket !== "") void fetch(location.pathname, { cache: "reload" }).catch(() => undefined);
const former = dropFormerToken(window);
// Under the development server the page and the hub have different ports.
const hub = (import.meta.env.DEV && new URLSearchParams(location.search).get("hub")) || location.host;
separateRoots(() => localStorage);
const remembered = memories({
  storage: () => localStorage,
  // In a task of its own: a click need not wait until what it adds is stored.
  alone: async (work) => {
    await new Promise((resolve) => setTimeout(resolve));
    return navigator.locks.request("gitnexus-sealed", work);
  },
});
window.addEventListener("storage", ({ key }) => remembered.heard(key));
const workspace: Workspace = new Workspace({
  host: window,
  storage: () => sessionStorage,
  session: (first, { background, kept, behind = false }) => {
    const store = new Store({ ...initialState(readChoices(() => localStorage)), place: first ? placeOf(location.hash) : HOME });
    keepChoices(store, () => localStorage);
    const session: Session = new Session({
      // The links of further tabs find the key that the first one has got.
      store, hub, ticket: first ? ticket : "", former: first && former, takesHubFolder: first || background !== undefined, ...(background === undefined ? {} : { background }), kept, behind,
      isShown: () => workspace.active.session === session,
      onFolders: (orders) => workspace.follow(orders),
      onStorageKey: (key) => void remembered.open(key),
      engine: () => {
        const engine = firstEngine ?? startWorker("engine");
        firstEngine = undefined;
        return threadOf<EngineCommand, EngineEvent>(engine);
      },
      link: threadOf<LinkCommand, LinkEvent>(firstLink ?? startWorker("link")),
    });
    firstLink = undefined;
    session.start();
    return session;
  },
});
// Until the view says what it draws.
publish(workspace.active.session.store, { current: null });
watchPresence(window, document, (command) => {
  if (command.type === "front") workspace.active.session.tell(command);
  else for (const { session } of workspace.tabs) session.tell(command);
});
// The key that it gives is told to all links of this browser.
watchTicket(window, (given) => workspace.active.session.tell({ type: "ticket", ticket: given }));

/** Draws the view, whose styles have to be there. */
export async function show(): Promise<void> {
  const { mount } = await import("./ui/app.tsx");
  mount(document.getElementById("app")!, workspace, remembered);
}
