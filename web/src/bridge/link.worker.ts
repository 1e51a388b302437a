/** The link's thread: joins the link's logic to a real socket, the browser's storage, the view and the engine. */
import { version } from "../../package.json";
import type { EngineReply, LinkCommand, LinkEvent } from "../messages.ts";
import type { Fetch } from "./check.ts";
import { Link, type Socket } from "./link.ts";
import { browserKeys, exchange, type PageKey } from "./pairing.ts";
import { webCrypt } from "./proof.ts";

const session = crypto.randomUUID();
let engine: MessagePort | null = null;
let url = "";
let key: PageKey | null = null;

/** By it a tab tells the others that the browser was paired. */
const tabs = new BroadcastChannel("gitnexus-paired");

const webFetch: Fetch = (address, init) => fetch(address, init);

const link = new Link({
  version,
  session,
  emit: (event: LinkEvent) => self.postMessage(event),
  toEngine: (request) => engine?.postMessage(request),
  connect: (address, protocols) => {
    const socket = new WebSocket(address, protocols);
    socket.binaryType = "arraybuffer";
    return socket as Socket;
  },
  fetch: webFetch,
  crypt: webCrypt,
});

self.onmessage = ({ data: command }: MessageEvent<LinkCommand>) => {
  switch (command.type) {
    case "start":
      join(command.engine);
      void start(command);
      return;
    case "ticket":
      void pair(command.ticket);
      return;
    case "engine":
      engine?.close();
      join(command.engine);
      link.engineDied(command.why, command.engine !== null);
      return;
    default:
      link.command(command);
  }
};

async function start({ url: hub, ticket, former, reloaded, background, loads, behind }: Extract<LinkCommand, { type: "start" }>): Promise<void> {
  url = hub;
  // Without storage, a ticket pairs this load.
  key = await browserKeys.load().catch(() => undefined) ?? null;
  link.start(url, key, reloaded, { background, loads, behind });
  if (ticket !== "") await pair(ticket);
  else if (former) link.notPaired("An earlier version of gitnexus-mcp paired this browser. Run `gitnexus-mcp open` to pair it again.");
}

/** Nothing that the page has is given up before a new key is there, and proven. */
async function pair(ticket: string): Promise<void> {
  const answer = await exchange(url, ticket, key?.id, webCrypt, webFetch, new AbortController().signal);
  if (!answer.ok) {
    link.notPaired(answer.reason);
    return;
  }
  if (answer.key) {
    await browserKeys.save(answer.key).catch(() => undefined);
    tabs.postMessage("paired");
    use(answer.key);
  }
}

tabs.onmessage = () => void browserKeys.load().then((kept) => {
  if (kept && url !== "") use(kept);
}, () => undefined);

function use(next: PageKey): void {
  key = next;
  link.useKey(next);
}

function join(port: MessagePort | null): void {
  engine = port;
  if (port) port.onmessage = ({ data: reply }: MessageEvent<EngineReply>) => link.reply(reply);
}

// The window hears this too, but a hidden window's events come late.
self.addEventListener("online", () => link.retry());

// Chrome does not freeze a hidden tab that holds a lock, and a frozen tab answers no calls. Never let go of.
void navigator.locks.request(`gitnexus-link-${session}`, () => new Promise<never>(() => undefined));
