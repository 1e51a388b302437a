import type { EngineReply, EngineRequest, GraphContext, LinkCommand, LinkEvent, LinkState } from "../messages.ts";
import { delay, type Backoff } from "./backoff.ts";
import { Calls } from "./calls.ts";
import { challenge, tellUnpaired, type Fetch } from "./check.ts";
import type { PageKey } from "./pairing.ts";
import { Inbox, Parts } from "./parts.ts";
import { proofProtocol, type Crypt } from "./proof.ts";
import {
  CLOSE, contextFrame, FRONT_FRAME, FrameError, helloFrame, parseFrame, pingFrame, pongFrame, SUBPROTOCOL, takenFrame,
  type HubFrame, type Loads, type Welcome,
} from "./protocol.ts";

/** What is used of WebSocket. */
export interface Socket {
  readonly protocol: string;
  onopen: (() => void) | null;
  onmessage: ((event: { data: unknown }) => void) | null;
  onclose: ((event: { code: number; reason: string }) => void) | null;
  send(frame: string | Uint8Array<ArrayBuffer>): void;
  close(code?: number, reason?: string): void;
}

export interface LinkOptions {
  /** Ours, for the hub to see. */
  version: string;
  /** Random, and one a page load: by it the hub knows a page that comes back. 1 to 100 characters. */
  session: string;
  emit: (event: LinkEvent) => void;
  toEngine: (request: EngineRequest) => void;
  connect: (url: string, protocols: string[]) => Socket;
  fetch: Fetch;
  crypt: Crypt;
  /** The reconnect schedule until a hub has said another. Default: the standard one. */
  backoff?: Backoff;
  /** Default: one with the standard limits. */
  calls?: Calls;
}

/** In milliseconds. */
export const TIMES = {
  /** How long a link has to stand to reset the schedule. */
  stable: 10_000,
  /** How long a try may take until the socket is open. */
  open: 10_000,
  /** How long the hub may take to answer the hello. */
  hello: 5000,
  /** How long a link that is in doubt has to show that it lives. */
  probe: 5000,
  /** The ceiling of the first wait after a hand-over, and the number of tries that begin there rather than at 500 ms. */
  handover: 10,
  handoverTries: 6,
  /** The wait after a hub that does not know the key: another program may have the port for a while. */
  unproven: 60_000,
  /** The shortest time between the starts of two tries that are not the schedule's. */
  floor: 1000,
  /** How often the clock is looked at, and the gap that means that the machine slept. */
  tick: 5000,
  slept: 15_000,
  /** Heartbeats of silence that end a link. */
  silentHeartbeats: 2.5,
} as const;

/** One try to connect, and what comes of it. */
interface Attempt {
  /** Ends the question for the hub's proof. */
  asking: AbortController;
  socket: Socket | null;
  startedAt: number;
  opened: boolean;
  /** Set when the hub has answered the hello. */
  welcome: Welcome | null;
  /** What large answers go through; null where the hub wants them whole. */
  parts: Parts | null;
  /** Where large calls come in. */
  inbox: Inbox;
  welcomedAt: number;
  heardAt: number;
  /** Asked for a sign of life, and has none yet. */
  probing: boolean;
  /** Fires when the phase that it is in takes too long: opening, hello, silence. */
  timer: ReturnType<typeof setTimeout> | undefined;
}

/**
 * The page's link to the hub: connects, stays connected, says how it is. It has no threads and no sockets of its own;
 * link.worker.ts gives it those, and tests give it others.
 */
export class Link {
  private readonly options: LinkOptions;
  private readonly calls: Calls;

  private url = "";
  private key: PageKey | null = null;
  private state: LinkState = { state: "unpaired" };
  /** When to dial again. */
  private backoff: Backoff;
  /** Steps of the schedule that are used up. */
  private step = 0;
  /** Tries that are left of those after a hand-over. */
  private handoverTries = 0;
  private loads: Loads = {};
  /** The tab was reloaded, and no hub has heard of it. */
  private reloaded = false;
  private attempt: Attempt | null = null;
  private wait: ReturnType<typeof setTimeout> | undefined;
  private clock: ReturnType<typeof setInterval> | undefined;
  private pings = 0;

  /** What the engine said last; null until it has. */
  private loaded: { context: GraphContext | null; tools: string[] } | null = null;
  /** The page came to the front while no hub was there to hear it. */
  private frontUntold = false;

  constructor(options: LinkOptions) {
    this.options = options;
    this.backoff = options.backoff ?? {};
    this.calls = options.calls ?? new Calls({ toEngine: options.toEngine, emit: options.emit });
  }

  /** Begins to connect. `url` is ws://host:port/; the key is null when the page is not paired. Called once. */
  start(url: string, key: PageKey | null, reloaded = false, loads: Loads = {}): void {
    this.loads = loads;
    this.reloaded = reloaded;
    this.url = url;
    this.key = key;
    this.watchClock();
    if (key) this.dial();
    else this.unpaired();
  }

  /** Ends the link. Calls in flight run to their end or deadline. */
  stop(): void {
    this.drop(CLOSE.normal, "the page goes");
    clearTimeout(this.wait);
    clearInterval(this.clock);
  }

  command(command: Exclude<LinkCommand, { type: "start" | "ticket" | "engine" }>): void {
    switch (command.type) {
      case "retry":
        this.retry();
        return;
      case "front":
        this.loads = { ...this.loads, behind: undefined };
        if (this.stands()) this.send(FRONT_FRAME);
        else this.frontUntold = true;
    }
  }

  /** Tries at once, or makes sure that the link that stands is alive. For when something has changed outside. */
  retry(): void {
    switch (this.state.state) {
      case "connected":
        this.probe();
        return;
      case "waiting":
      case "refused": {
        if (!this.key) return;
        const earliest = (this.attempt?.startedAt ?? 0) + TIMES.floor;
        if (Date.now() >= earliest) this.dial();
        else if (this.state.state === "refused") this.schedule(earliest, this.state.reason);
        else if (this.state.retryAt > earliest) this.schedule(earliest, this.state.reason);
        return;
      }
      case "unpaired":
      case "connecting":
    }
  }

  /** What the engine says. */
  reply(reply: EngineReply): void {
    if (reply.type !== "context") {
      this.calls.reply(reply);
      return;
    }
    this.loaded = { context: reply.context, tools: reply.tools };
    this.calls.setTools(reply.tools);
    if (this.stands()) this.send(contextFrame(reply.context, reply.tools));
  }

  /** The engine is dead, in words, and what it was at is lost. `again`: from now on another one is asked. */
  engineDied(why: string, again: boolean): void {
    this.calls.engineDied(why, again);
    const { context, tools } = this.loaded ?? {};
    if (!again && context && tools) this.reply({ type: "context", context: { ...context, state: "error", detail: why }, tools });
    // It learns whether there is a folder, as the one before did.
    if (again && this.attempt?.welcome) this.tellFolder(this.attempt.welcome);
  }

  /** The page has got a key, of which the hub has proved that it knows it. */
  useKey(key: PageKey): void {
    const isNew = key.id !== this.key?.id;
    this.key = key;
    if (!isNew && (this.state.state === "connected" || this.state.state === "connecting")) return;
    this.drop(CLOSE.normal, "the page has another key");
    clearTimeout(this.wait);
    this.step = 0;
    this.dial();
  }

  /** The page was to be paired, and is not, in words. One that has a key goes on with it. */
  notPaired(reason: string): void {
    if (!this.key) this.become({ state: "refused", reason });
  }

  /** Waits for a key. */
  private unpaired(): void {
    this.become({ state: "unpaired" });
    this.knock();
  }

  /** Tells the hub that there is a page without a key, and again while that is so: the hub may be another one by then. */
  private knock(): void {
    void tellUnpaired(this.url, this.options.fetch);
    this.wait = setTimeout(() => this.knock(), TIMES.unproven);
  }

  private dial(): void {
    clearTimeout(this.wait);
    this.become({ state: "connecting", attempt: this.step });
    const attempt: Attempt = {
      asking: new AbortController(), socket: null, startedAt: Date.now(), opened: false, welcome: null, parts: null,
      inbox: new Inbox((message, bytes) => attempt.socket?.send(takenFrame(message, bytes))), welcomedAt: 0, heardAt: 0, probing: false,
      timer: undefined,
    };
    this.attempt = attempt;
    void this.prove(attempt);
  }

  /** Has the hub prove itself, and opens the socket with this page's proof. */
  private async prove(attempt: Attempt): Promise<void> {
    const { crypt, fetch } = this.options;
    const who = { role: "page", ...this.key! } as const;
    const answer = await challenge(this.url, who, crypt, fetch, attempt.asking.signal);
    const proof = answer.ok ? await proofProtocol(crypt, who, answer.port, answer.nonce, answer.hubNonce) : "";
    // Meanwhile another key may have come.
    if (attempt !== this.attempt) return;
    if (answer.ok) {
      this.open(attempt, proof);
    } else if (answer.final) {
      this.become({ state: "refused", reason: answer.reason });
      if (!answer.unproven) return;
      void tellUnpaired(this.url, this.options.fetch);
      this.wait = setTimeout(() => this.dial(), TIMES.unproven);
    } else {
      this.again(answer.reason);
    }
  }

  private open(attempt: Attempt, proof: string): void {
    const socket = this.options.connect(this.url, [SUBPROTOCOL, proof]);
    attempt.socket = socket;
    this.limit(attempt, TIMES.open, () => this.failed(attempt));
    socket.onopen = () => this.opened(attempt, socket);
    socket.onmessage = ({ data }) => this.message(attempt, data);
    socket.onclose = ({ code, reason }) => this.closed(attempt, code, reason);
  }

  private opened(attempt: Attempt, socket: Socket): void {
    attempt.opened = true;
    if (socket.protocol !== SUBPROTOCOL) {
      this.lose(attempt, `What answers at ${new URL(this.url).host} does not speak ${SUBPROTOCOL}.`, CLOSE.incompatible);
      return;
    }
    this.limit(attempt, TIMES.hello, () => this.lose(attempt, "The hello to gitnexus-mcp was not answered.", CLOSE.silent));
    socket.send(helloFrame(this.options.version, this.options.session, this.reloaded, this.loads));
  }

  private message(attempt: Attempt, data: unknown): void {
    attempt.heardAt = Date.now();
    attempt.probing = false;
    try {
      if (attempt.welcome && data instanceof ArrayBuffer) {
        attempt.inbox.take(data, (message) => {
          const frame = parseFrame(message);
          if (frame.kind !== "call") throw new FrameError(CLOSE.pageFoundForbidden, `${frame.kind} in parts`);
          this.handle(attempt, frame);
        });
      } else this.handle(attempt, parseFrame(data));
    } catch (error) {
      if (!(error instanceof FrameError)) throw error;
      this.lose(attempt, `This page does not understand what gitnexus-mcp sent: ${error.message}.`, error.status);
    }
  }

  private handle(attempt: Attempt, frame: HubFrame): void {
    const socket = attempt.socket!;
    if (frame.kind === "welcome") {
      this.welcomed(attempt, frame.welcome);
      return;
    }
    if (frame.kind === "refusal") {
      this.refuse(attempt, frame.message);
      return;
    }
    if (frame.kind === "ping") {
      socket.send(pongFrame(frame.id));
      return;
    }
    if (!attempt.welcome) throw new FrameError(CLOSE.pageFoundForbidden, `${frame.kind} before the answer to the hello`);
    switch (frame.kind) {
      case "call":
        this.calls.call(frame.call, (answer) => {
          if (typeof answer === "string") socket.send(answer);
          else if (attempt.parts) attempt.parts.add(answer);
          else socket.send(answer.text());
        });
        return;
      case "taken":
        if (!attempt.parts) throw new FrameError(CLOSE.pageFoundForbidden, "bridge/taken without parts");
        attempt.parts.taken(frame.message, frame.bytes);
        return;
      case "cancel":
        this.calls.cancel(frame.id, frame.reason);
        return;
      case "agents":
        this.options.emit({ type: "agents", agents: frame.agents, unproven: frame.unproven });
        return;
      case "alerts":
        this.options.emit({ type: "alerts", alerts: frame.alerts });
        return;
      case "handover":
        this.handoverTries = TIMES.handoverTries;
        this.lose(attempt, "The server has stopped and handed over to the next.", CLOSE.normal);
        return;
      case "repo":
        this.options.toEngine({ type: "folder", there: true, key: attempt.welcome.key, storageKey: attempt.welcome.storageKey });
        return;
      case "folders":
        this.options.emit({ type: "folders", folders: frame.folders });
        return;
      case "pong":
    }
  }

  private welcomed(attempt: Attempt, welcome: Welcome): void {
    if (attempt.welcome) throw new FrameError(CLOSE.pageFoundForbidden, "a second answer to the hello");
    attempt.welcome = welcome;
    this.reloaded = false;
    this.backoff = { ...this.backoff, ...welcome.backoff };
    this.handoverTries = 0;
    attempt.welcomedAt = Date.now();
    const socket = attempt.socket!;
    if (welcome.parts > 0) attempt.parts = new Parts((part) => socket.send(part), welcome.parts);
    this.listen(attempt, TIMES.silentHeartbeats * welcome.heartbeatMs);
    // Front first: the context makes this a page that calls go to.
    if (this.frontUntold) this.send(FRONT_FRAME);
    this.frontUntold = false;
    if (this.loaded) this.send(contextFrame(this.loaded.context, this.loaded.tools));
    this.tellFolder(welcome);
    const { version, pid, repo, key, storageKey } = welcome;
    this.options.emit({ type: "storageKey", key: storageKey });
    this.become({ state: "connected", hub: { version, pid, repo, key } });
  }

  private tellFolder({ repo, key, storageKey }: Welcome): void {
    this.options.toEngine({ type: "folder", there: repo !== "", key, storageKey });
  }

  /** Ends the link when nothing is heard for `ms`. */
  private listen(attempt: Attempt, ms: number): void {
    const due = attempt.heardAt + ms;
    this.limit(attempt, due - Date.now(), () => {
      const silence = Date.now() - attempt.heardAt;
      if (silence < ms) this.listen(attempt, ms);
      else if (Date.now() - due > TIMES.slept) this.probe(); // We slept. What the hub said meanwhile may be about to arrive.
      else this.lose(attempt, `Nothing was heard of gitnexus-mcp for ${Math.round(silence / 1000)} s.`, CLOSE.silent);
    });
  }

  /** Asks for a sign of life, sooner than the heartbeat would. */
  private probe(): void {
    const { attempt } = this;
    // Asking again would put the end off, again and again.
    if (!attempt?.socket || !attempt.welcome || attempt.probing) return;
    const { heartbeatMs } = attempt.welcome;
    attempt.probing = true;
    this.send(pingFrame(++this.pings));
    this.limit(attempt, TIMES.probe, () => {
      if (attempt.probing) this.lose(attempt, "The connection to gitnexus-mcp is dead.", CLOSE.silent);
      else this.listen(attempt, TIMES.silentHeartbeats * heartbeatMs);
    });
  }

  /** The socket is closed, or was never opened. */
  private closed(attempt: Attempt, code: number, reason: string): void {
    if (!attempt.opened) {
      this.failed(attempt);
      return;
    }
    if (code === CLOSE.incompatible) {
      this.refuse(attempt, reason || "This page and gitnexus-mcp are of versions that cannot talk to each other. Reload the page.");
      return;
    }
    if (code === CLOSE.tooLarge) this.calls.refuseLargest();
    this.lose(attempt, closeWords(code, reason), CLOSE.normal);
  }

  /** The hub has proved itself, and the socket did not open. */
  private failed(attempt: Attempt): void {
    this.lose(attempt, "The server is there and knows this page, but the connection failed.", CLOSE.normal);
  }

  private refuse(attempt: Attempt, reason: string): void {
    if (attempt !== this.attempt) return;
    this.release(attempt, CLOSE.normal, "");
    this.become({ state: "refused", reason });
  }

  /** The link is no good any more, whatever the socket thinks. */
  private lose(attempt: Attempt, reason: string, code: number): void {
    if (attempt !== this.attempt) return;
    this.release(attempt, code, reason);
    if (attempt.welcome && Date.now() - attempt.welcomedAt >= TIMES.stable) this.step = 0;
    this.again(reason);
  }

  private again(reason: string): void {
    const { backoff } = this;
    // A hub that hands over has left the port to processes that wait for it: the next one is there within milliseconds.
    const ms = this.handoverTries > 0
      ? delay(TIMES.handoverTries - this.handoverTries--, { ...backoff, base: TIMES.handover })
      : delay(this.step++, backoff);
    this.schedule(Date.now() + ms, reason);
  }

  private schedule(retryAt: number, reason: string): void {
    clearTimeout(this.wait);
    this.wait = setTimeout(() => this.dial(), retryAt - Date.now());
    this.become({ state: "waiting", attempt: this.step, retryAt: Math.round(retryAt), reason });
  }

  /** Lets go of the present attempt without a word to the view. */
  private drop(code: number, reason: string): void {
    if (this.attempt) this.release(this.attempt, code, reason);
    this.attempt = null;
  }

  /** Lets go of a socket. Its close takes as long as the other side likes, so nothing waits for it. */
  private release(attempt: Attempt, code: number, reason: string): void {
    clearTimeout(attempt.timer);
    attempt.asking.abort();
    this.calls.detach();
    const { socket } = attempt;
    attempt.socket = null;
    if (!socket) return;
    if (attempt.welcome) this.options.toEngine({ type: "lost" });
    socket.onopen = socket.onmessage = socket.onclose = null;
    socket.close(code, clipReason(reason));
  }

  private limit(attempt: Attempt, ms: number, late: () => void): void {
    clearTimeout(attempt.timer);
    attempt.timer = setTimeout(late, Math.max(0, ms));
  }

  /** The hub has answered the hello on a socket that is still ours. */
  private stands(): boolean {
    return this.attempt?.socket != null && this.attempt.welcome !== null;
  }

  private send(frame: string): void {
    this.attempt?.socket?.send(frame);
  }

  private become(state: LinkState): void {
    this.state = state;
    this.options.emit({ type: "state", link: state });
  }

  /** A clock that jumps means that the machine slept: timers did not run, and the socket may be dead. */
  private watchClock(): void {
    let last = Date.now();
    this.clock = setInterval(() => {
      const now = Date.now();
      if (now - last > TIMES.slept) this.retry();
      last = now;
    }, TIMES.tick);
  }
}

function closeWords(code: number, reason: string): string {
  const because = reason === "" ? "." : `: ${reason}`;
  switch (code) {
    case CLOSE.normal:
    case CLOSE.goingAway:
      return reason || "The server has stopped.";
    case CLOSE.broken:
    case CLOSE.forbidden:
    case CLOSE.tooLarge:
      return `The server closed the link${because}`;
    case CLOSE.noHello:
      return reason || "The server did not hear this page's hello in time.";
    default:
      return `The connection to gitnexus-mcp was lost${because}`;
  }
}

/** A close reason has at most 123 bytes; with more, close() throws and closes nothing. */
function clipReason(reason: string): string {
  const bytes = new TextEncoder().encode(reason);
  if (bytes.length <= 123) return reason;
  // What is left of a character that was cut becomes the replacement character, which is taken off.
  return new TextDecoder().decode(bytes.subarray(0, 120)).replace(/\uFFFD+$/, "");
}
