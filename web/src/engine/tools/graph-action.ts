import { ToolError, type Tool } from "../tools.ts";
import { refOf } from "./answers.ts";
import { oneOf, optionalText, texts } from "./arguments.ts";
import { colorOf, groupOf, highlight, meantBy, tellMeant } from "./highlight.ts";

const ACTIONS = ["highlight", "focus", "annotate", "reset"] as const;
const MAX_LABEL = 80;
const TOLD = 20;

/**
 * Changes what the user sees, never the code. Each action says how the view is to be, not how it is to change: done
 * again it does nothing more.
 */
export const graphAction: Tool = (args, ctx) => {
  const { codebase } = ctx;
  const { graph } = codebase;
  const action = oneOf(args, "action", ACTIONS);
  if (action === "reset") {
    ctx.view({ type: "reset" });
    return { action, done: "highlights and labels are gone, and the whole graph is in view" };
  }
  const names = args.nodeIds === undefined ? [] : texts(args, "nodeIds");
  if (names.length === 0) throw new ToolError(`${action} needs nodeIds: ids as other tools return them, or names.`);
  const color = colorOf(args);
  switch (action) {
    case "highlight": return { action, ...highlight({ nodeIds: names, color }, ctx) };
    case "focus": {
      const meant = meantBy(codebase, names);
      const shown = meant.withMembers.filter((node) => graph.nodes[node]!.file !== "");
      ctx.view({ type: "focus", nodes: shown.map((node) => {
        const { id, name, kind, file, line } = graph.nodes[node]!;
        return { id, name, kind, file, line };
      }) });
      return { action, focused: meant.found.slice(0, TOLD).map((node) => refOf(graph, node)), ...(shown.length === 1 ? { code: "shown beside the graph" } : {}), ...tellMeant(meant) };
    }
    case "annotate": {
      const label = optionalText(args, "label")?.replace(/\s+/g, " ").trim() ?? "";
      if (label === "") throw new ToolError("annotate needs a label: the text to write at the nodes.");
      if (label.length > MAX_LABEL) throw new ToolError(`A label has at most ${MAX_LABEL} characters; this one has ${label.length}.`);
      const meant = meantBy(codebase, names);
      // A group has no place of its own: its label goes to what stands first in it.
      const at = [...new Set(meant.found.map((node) => groupOf(codebase, node)[0] ?? node))];
      ctx.view({ type: "annotate", nodeIds: at.map((node) => graph.nodes[node]!.id), label, color });
      return { action, label, color, annotated: at.slice(0, TOLD).map((node) => refOf(graph, node)), ...tellMeant(meant) };
    }
  }
};
