/** The graph in the chat: the picture of one tool's answer, and what the user asks on from it. */
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { CodeAnswer, Picture, PictureNode } from "../engine/view/picture.ts";
import { kindToken } from "../ui/graph/palette.ts";
import { tokenLines } from "../ui/tokens.ts";
import { PictureCanvas } from "./canvas.tsx";
import type { Host } from "./host.ts";

/** What the page shows. */
export type Shown =
  | { state: "waiting" }
  | { state: "words"; text: string }
  | { state: "picture"; picture: Picture };

export interface AppProps {
  host: Host;
  /** What the tool's answer brought. */
  first: Shown;
  /** Address of the app; "" when there is none to open. */
  app: string;
  theme: string;
  fullscreen: "absent" | "off" | "on";
}

export function ChatApp({ host, first, app, theme, fullscreen }: AppProps): JSX.Element {
  // What the user asked for after the first picture.
  const [further, setFurther] = useState<Picture[]>([]);
  const [chosen, setChosen] = useState(-1);
  const [busy, setBusy] = useState("");
  const [trouble, setTrouble] = useState("");
  useEffect(() => {
    setFurther([]);
    setChosen(-1);
  }, [first]);

  if (first.state !== "picture") {
    return <main class="quiet"><p class={first.state === "waiting" ? "pulse" : ""}>{first.state === "waiting" ? "Waiting for the answer…" : first.text}</p></main>;
  }
  const picture = further.at(-1) ?? first.picture;
  const node = picture.nodes[chosen];

  const ask = async (words: string, args: Record<string, unknown>): Promise<void> => {
    setBusy(words);
    setTrouble("");
    try {
      const next = await host.call("graph_picture", args) as Picture;
      setFurther((before) => [...before, next]);
      setChosen(next.nodes.findIndex(({ main }) => main));
    } catch (error) {
      setTrouble(error instanceof Error ? error.message : String(error));
    } finally {
      setBusy("");
    }
  };
  const back = (): void => {
    setFurther((before) => before.slice(0, -1));
    setChosen(-1);
    setTrouble("");
  };
  const open = async (): Promise<void> => {
    const place = node && node.id !== "" && node.kind !== "Community" && node.kind !== "Process" ? `#${new URLSearchParams({ view: "read", node: node.id }).toString()}` : "";
    if (!(await host.openLink(app + place))) setTrouble(`This chat opens no links. The app is at ${app}`);
  };
  return (
    <main>
      <header>
        {further.length > 0 && <button type="button" class="icon" onClick={back} aria-label="Back" title="Back"><BackIcon /></button>}
        <div class="title">
          <h1>{picture.title}</h1>
          <p aria-live="polite">{busy === "" ? picture.about : busy}</p>
        </div>
        {fullscreen !== "absent" && (
          <button type="button" class="icon" onClick={() => void host.display(fullscreen === "on" ? "inline" : "fullscreen")} aria-label={fullscreen === "on" ? "Smaller" : "Larger"} title={fullscreen === "on" ? "Smaller" : "Larger"}>
            <LargerIcon smaller={fullscreen === "on"} />
          </button>
        )}
        {app !== "" && host.capabilities.openLinks && <button type="button" class="button" onClick={() => void open()}>Open in the app</button>}
      </header>
      {trouble !== "" && <p class="trouble" role="alert">{trouble}</p>}
      <div class={node ? "split open" : "split"}>
        <PictureCanvas picture={picture} chosen={chosen} theme={theme} onChoose={(at) => setChosen(at === chosen ? -1 : at)} />
        {node && node.id !== "" && <Detail key={node.id} host={host} node={node} ask={(words, args) => void ask(words, args)} onClose={() => setChosen(-1)} />}
      </div>
      <Legend picture={picture} />
    </main>
  );
}

interface DetailProps {
  host: Host;
  node: PictureNode;
  ask: (words: string, args: Record<string, unknown>) => void;
  onClose: () => void;
}

/** The chosen node: its code, and what can be asked of it. */
function Detail({ host, node, ask, onClose }: DetailProps): JSX.Element {
  const [code, setCode] = useState<CodeAnswer | string | null>(null);
  const isCluster = node.kind === "Community";
  useEffect(() => {
    if (isCluster || !host.capabilities.serverTools) return undefined;
    let current = true;
    host.call("graph_code", { id: node.id }).then(
      (answer) => { if (current) setCode(answer as CodeAnswer); },
      (error: unknown) => { if (current) setCode(error instanceof Error ? error.message : String(error)); },
    );
    return () => { current = false; };
  }, [node.id]);
  const place = isCluster ? `${node.count ?? 0} symbols` : `${node.file}${node.line > 0 ? `:${node.line}` : ""}`;
  return (
    <aside aria-label={node.name}>
      <div class="detail-head">
        <span class="dot" style={{ background: `var(--${kindToken(node.kind)})` }} />
        <div class="title">
          <h2>{node.name}</h2>
          <p>{isCluster ? "Cluster" : node.kind} · {place}</p>
        </div>
        <button type="button" class="icon" onClick={onClose} aria-label="Close" title="Close"><CloseIcon /></button>
      </div>
      <div class="actions">
        {host.capabilities.serverTools && (isCluster
          ? <button type="button" class="button" onClick={() => ask("Looking inside…", { tool: "explore", name: node.id, type: "cluster" })}>Look inside</button>
          : <>
              <button type="button" class="button" onClick={() => ask("Finding what depends on it…", { tool: "impact", target: node.id, direction: "upstream" })}>What depends on it</button>
              <button type="button" class="button" onClick={() => ask("Finding what it uses…", { tool: "impact", target: node.id, direction: "downstream" })}>What it uses</button>
              <button type="button" class="button" onClick={() => ask("Looking around…", { tool: "explore", name: node.id, type: "symbol" })}>Around it</button>
            </>)}
        {host.capabilities.message && <button type="button" class="button" onClick={() => void host.say(`Tell me about ${isCluster ? "the cluster " : ""}\`${node.name}\`${isCluster ? "" : ` (${place})`}.`)}>Ask about it</button>}
      </div>
      {!isCluster && host.capabilities.serverTools && <Code code={code} />}
    </aside>
  );
}

function Code({ code }: { code: CodeAnswer | string | null }): JSX.Element {
  if (code === null) return <p class="muted pulse">Reading…</p>;
  if (typeof code === "string") return <p class="muted">{code}</p>;
  const lines = tokenLines(code.code.split("\n"), code.language);
  return (
    <>
      <pre tabIndex={0} aria-label={`Code of ${code.name}`}>
        {lines.map((tokens, i) => (
          <div class="line" key={i}>
            <span class="number">{code.start + i}</span>
            <code>{tokens.map(({ kind, text }) => (kind === "plain" ? text : <span class={`code-${kind}`}>{text}</span>))}</code>
          </div>
        ))}
      </pre>
      {code.lines > lines.length && <p class="muted">The first {lines.length} of {code.lines} lines.</p>}
    </>
  );
}

function Legend({ picture }: { picture: Picture }): JSX.Element | null {
  if (picture.layout === "map") return <footer>Circles are clusters, as large as they have symbols; arrows are calls between them.</footer>;
  const kinds = [...new Set(picture.nodes.filter(({ count }) => count === undefined).map(({ kind }) => kind))].slice(0, 6);
  const possible = picture.edges.some((calls, i) => i % 3 === 2 && calls === 0);
  return (
    <footer>
      {kinds.map((kind) => <span key={kind}><span class="dot" style={{ background: `var(--${kindToken(kind)})` }} />{kind}</span>)}
      {picture.nodes.some(({ count }) => count !== undefined) && <span><span class="dot square" />File, with the number of its symbols</span>}
      {possible && <span><span class="dash" />only possible</span>}
    </footer>
  );
}

const Stroke = ({ d }: { d: string }): JSX.Element => (
  <svg width="16" height="16" viewBox="0 0 16 16" fill="none" stroke="currentColor" stroke-width="1.5" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true"><path d={d} /></svg>
);
const BackIcon = (): JSX.Element => <Stroke d="M13 8H3.5M7 4 3 8l4 4" />;
const CloseIcon = (): JSX.Element => <Stroke d="m4 4 8 8M12 4l-8 8" />;
const LargerIcon = ({ smaller }: { smaller: boolean }): JSX.Element => <Stroke d={smaller ? "M6.5 2.5v4h-4M9.5 13.5v-4h4M6.5 6.5l-4-4M9.5 9.5l4 4" : "M9.5 2.5h4v4M6.5 13.5h-4v-4M13.5 2.5l-4.5 4.5M2.5 13.5 7 9"} />;
