/** Entry of the page that hosts show in the chat: one file, no network, no Workers. */
import { render } from "preact";
import { version } from "../../package.json";
import type { Picture } from "../engine/view/picture.ts";
import "../ui/styles/tokens.css";
import { showHidden } from "../ui/visible.ts";
import { ChatApp, type Shown } from "./app.tsx";
import "./chat.css";
import { Host, messageOf, type HostContext, type ToolResult } from "./host.ts";

/** Where the server puts the picture into an answer; the model does not see it. */
const PICTURE = "gitnexus/picture";

/** Maps the host's style variables to ours. Those that a host does not set keep our values. */
const FROM_HOST: Readonly<Record<string, string>> = {
  "--color-background-primary": "--stage", "--color-background-secondary": "--surface", "--color-background-tertiary": "--hover",
  "--color-text-primary": "--text", "--color-text-secondary": "--muted", "--color-border-primary": "--line-strong", "--color-border-tertiary": "--line",
  "--font-sans": "--sans", "--font-mono": "--mono",
};

/** The tool whose answer this page shows, told from its arguments where the host does not say. */
function toolOf(args: Record<string, unknown>, told: string | undefined): string {
  return told ?? ("target" in args ? "impact" : "from" in args ? "trace_flow" : "name" in args ? "explore" : "overview");
}

showHidden();
let context: HostContext = {};
let first: Shown = { state: "waiting" };
let app = "";
let input: Record<string, unknown> = {};

const host = new Host({
  context: (changed) => {
    context = { ...context, ...changed };
    show();
  },
  input: (args) => {
    input = args;
  },
  result: (result) => void settle(result),
  cancelled: () => {
    first = { state: "words", text: "The call was cancelled." };
    show();
  },
});

async function settle(result: ToolResult): Promise<void> {
  if (result.isError) first = { state: "words", text: messageOf(result) };
  else {
    try {
      const sent = result._meta?.[PICTURE] as { picture: Picture; app?: string } | undefined;
      app = sent?.app ?? "";
      // A host may drop what is beside the answer.
      first = { state: "picture", picture: sent?.picture ?? await host.call("graph_picture", { ...input, tool: toolOf(input, context.toolInfo?.tool?.name) }) as Picture };
      if (first.picture.nodes.length === 0) first = { state: "words", text: "There is nothing to draw in this answer." };
    } catch (error) {
      first = { state: "words", text: `There is no picture of this answer. ${error instanceof Error ? error.message : ""}` };
    }
  }
  show();
}

function show(): void {
  const root = document.documentElement;
  const theme = context.theme ?? (matchMedia("(prefers-color-scheme: light)").matches ? "light" : "dark");
  root.dataset.theme = theme;
  for (const [theirs, ours] of Object.entries(FROM_HOST)) {
    const value = context.styles?.variables?.[theirs];
    if (value !== undefined && value !== "") root.style.setProperty(ours, value);
  }
  const mode = context.displayMode ?? "inline";
  root.dataset.mode = mode;
  const { height, maxHeight } = context.containerDimensions ?? {};
  // Never the height of the frame itself: a host that gives the page what it asks for would leave it at that.
  root.style.setProperty("--highest", mode === "fullscreen" ? "100vh" : `${Math.max(280, height ?? Math.min(maxHeight ?? 620, 620))}px`);
  const fullscreen = mode === "fullscreen" ? "on" : context.availableDisplayModes?.includes("fullscreen") ? "off" : "absent";
  render(<ChatApp host={host} first={first} app={app} theme={`${theme} ${JSON.stringify(context.styles?.variables ?? {})}`} fullscreen={fullscreen} />, document.body);
}

let height = 0;
new ResizeObserver(() => {
  const now = Math.ceil(document.body.getBoundingClientRect().height);
  if (now !== height && context.displayMode !== "fullscreen") host.resized((height = now));
}).observe(document.body);

show();
void host.start(version).then((told) => {
  context = { ...told, ...context };
  show();
});
