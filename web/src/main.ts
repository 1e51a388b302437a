/** The page. Its threads start before the view's own code is there: agents wait for them, and not for what is drawn. */
import "./unregister.ts";
import "./trusted.ts";
import type { EngineCommand, EngineEvent, LinkCommand, LinkEvent } from "./messages.ts";
import { followAddress, placeOf } from "./ui/address.ts";
import { dropFormerToken, takeTicket, watchTicket } from "./ui/pairing.ts";
import { keepChoices, readChoices } from "./ui/preferences.ts";
import { watchPresence } from "./ui/presence.ts";
import { publish } from "./ui/report.ts";
import { Session, threadOf } from "./ui/session.ts";
import { initialState } from "./ui/state.ts";
import { Store } from "./ui/store.ts";
import "./ui/styles/index.css";

const startEngine = (): Worker => new Worker(new URL("./engine/engine.worker.ts", import.meta.url), { type: "module", name: "engine" });
let first: Worker | undefined = startEngine();
const link = new Worker(new URL("./bridge/link.worker.ts", import.meta.url), { type: "module", name: "link" });

// Before the address is read, so that the ticket is not taken for a place.
const ticket = takeTicket(window);
const store = new Store({ ...initialState(readChoices(() => localStorage)), place: placeOf(location.hash) });
keepChoices(store, () => localStorage);
// Until the view says what it draws.
publish(store, { current: null });

// Under the development server the page and the hub have different ports.
const hub = (import.meta.env.DEV && new URLSearchParams(location.search).get("hub")) || location.host;
const session = new Session({
  store, hub, ticket, former: dropFormerToken(window),
  engine: () => {
    const engine = first ?? startEngine();
    first = undefined;
    return threadOf<EngineCommand, EngineEvent>(engine);
  },
  link: threadOf<LinkCommand, LinkEvent>(link),
});
session.start();
followAddress(store, window);
watchPresence(window, document, (command) => session.tell(command));
watchTicket(window, (ticket) => session.tell({ type: "ticket", ticket }));

const { mount } = await import("./ui/app.tsx");
mount(document.getElementById("app")!, session);
