import type { EngineCommand, EngineEvent, LinkCommand, LinkEvent } from "./messages.ts";
import { mount } from "./ui/app.tsx";
import { takeToken, watchToken } from "./ui/pairing.ts";
import { keepChoices, readChoices } from "./ui/preferences.ts";
import { watchPresence } from "./ui/presence.ts";
import { Session, threadOf } from "./ui/session.ts";
import { initialState } from "./ui/state.ts";
import { Store } from "./ui/store.ts";
import "./ui/styles/index.css";

const engine = new Worker(new URL("./engine/engine.worker.ts", import.meta.url), { type: "module", name: "engine" });
const link = new Worker(new URL("./bridge/link.worker.ts", import.meta.url), { type: "module", name: "link" });

const store = new Store(initialState(readChoices(() => localStorage)));
keepChoices(store, () => localStorage);

// Under the development server the page and the hub have different ports.
const hub = (import.meta.env.DEV && new URLSearchParams(location.search).get("hub")) || location.host;
const session = new Session({
  store, hub, token: takeToken(window),
  engine: threadOf<EngineCommand, EngineEvent>(engine),
  link: threadOf<LinkCommand, LinkEvent>(link),
});

mount(document.getElementById("app")!, session);
session.start();
watchPresence(window, document, (command) => session.tell(command));
watchToken(window, (token) => session.setToken(token));
