/** A host for the page in the chat: the official one of MCP Apps, whose server is whoever drives this page. */
import { AppBridge, PostMessageTransport, type McpUiHostCapabilities, type McpUiHostContext } from "@modelcontextprotocol/ext-apps/app-bridge";
import type { CallToolResult, Tool } from "@modelcontextprotocol/client";

/** The policy of a resource that asks for nothing. */
const POLICY = "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'none'";

export interface Showing {
  html: string;
  tool: Tool;
  args: Record<string, unknown>;
  /** Absent: the tool does not answer. */
  result?: CallToolResult;
  context?: McpUiHostContext;
  capabilities?: McpUiHostCapabilities;
}

export interface HostWindow {
  host: {
    show(showing: Showing): Promise<void>;
    change(context: McpUiHostContext): void;
    /** What the page asked for, without tool calls. */
    asked: { what: string; of: unknown }[];
    height: number;
  };
  /** Calls a tool of the server. */
  serverCall(name: string, args: Record<string, unknown>): Promise<CallToolResult>;
}

const outside = window as unknown as HostWindow;
let bridge: AppBridge;
let context: McpUiHostContext = {};

outside.host = {
  asked: [],
  height: 0,
  async show({ html, tool, args, result, context: given = {}, capabilities = { serverTools: {}, openLinks: {}, message: {} } }) {
    const frame = document.querySelector("iframe")!;
    context = { theme: "dark", displayMode: "inline", availableDisplayModes: ["inline", "fullscreen"], containerDimensions: { maxHeight: 1000, maxWidth: 720 }, toolInfo: { tool }, ...given };
    document.body.className = context.theme!;
    bridge = new AppBridge(null, { name: "scripted-host", version: "1.0.0" }, capabilities, { hostContext: context });
    bridge.oncalltool = ({ name, arguments: sent }) => outside.serverCall(name, sent ?? {});
    const answer = (what: string) => (of: unknown): Promise<Record<string, unknown>> => {
      outside.host.asked.push({ what, of });
      return Promise.resolve({});
    };
    bridge.onopenlink = answer("open");
    bridge.onmessage = answer("message");
    bridge.onrequestdisplaymode = ({ mode }) => {
      outside.host.asked.push({ what: "display", of: mode });
      outside.host.change({ displayMode: mode });
      return Promise.resolve({ mode });
    };
    bridge.addEventListener("sizechange", ({ height }) => {
      outside.host.height = height ?? 0;
      if (context.displayMode === "inline" && height) frame.style.height = `${height}px`;
    });
    const ready = new Promise<void>((resolve) => bridge.addEventListener("initialized", () => resolve()));
    await bridge.connect(new PostMessageTransport(frame.contentWindow!, frame.contentWindow!));
    frame.srcdoc = html.replace("<head>", `<head><meta http-equiv="Content-Security-Policy" content="${POLICY}">`);
    await ready;
    await bridge.sendToolInput({ arguments: args });
    if (result) await bridge.sendToolResult(result);
  },
  change(changed) {
    context = { ...context, ...changed };
    document.body.className = context.theme!;
    document.querySelector("iframe")!.style.height = context.displayMode === "fullscreen" ? "800px" : `${outside.host.height}px`;
    bridge.setHostContext(context);
  },
};
