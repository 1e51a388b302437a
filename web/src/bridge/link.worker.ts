/** The link's thread: joins the link's logic to a real socket, the view and the engine. */
import { version } from "../../package.json";
import type { EngineReply, LinkCommand, LinkEvent } from "../messages.ts";
import { Link, type Socket } from "./link.ts";
import { webMac } from "./proof.ts";

const session = crypto.randomUUID();
let link: Link | null = null;
let engine: MessagePort | null = null;

const emit = (event: LinkEvent): void => self.postMessage(event);

self.onmessage = ({ data: command }: MessageEvent<LinkCommand>) => {
  if (command.type === "engine") {
    engine?.close();
    join(command.engine);
    link?.engineDied(command.why, command.engine !== null);
    return;
  }
  if (command.type !== "start") {
    link?.command(command);
    return;
  }
  const { url, token, reloaded } = command;
  const started = new Link({
    version,
    session,
    emit,
    toEngine: (request) => engine?.postMessage(request),
    connect: (address, protocols) => {
      const socket = new WebSocket(address, protocols);
      socket.binaryType = "arraybuffer";
      return socket as Socket;
    },
    fetch: (address, init) => fetch(address, init),
    mac: webMac,
  });
  link = started;
  join(command.engine);
  started.start(url, token, reloaded);
};

function join(port: MessagePort | null): void {
  engine = port;
  if (port) port.onmessage = ({ data: reply }: MessageEvent<EngineReply>) => link?.reply(reply);
}

// The window hears this too, but a hidden window's events come late.
self.addEventListener("online", () => link?.retry());

// Chrome does not freeze a hidden tab that holds a lock, and a frozen tab answers no calls. Never let go of.
void navigator.locks.request(`gitnexus-link-${session}`, () => new Promise<never>(() => undefined));
