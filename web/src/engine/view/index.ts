/** Questions of the views in the app and in the chat, beside the tools: models are not told of them. */
import type { Tool } from "../tools.ts";
import { viewBetween } from "./between.ts";
import { complete } from "./complete.ts";
import { viewGroup } from "./group.ts";
import { viewImpact } from "./impact.ts";
import { viewFigures, viewLocal, viewNodes } from "./local.ts";
import { viewMap } from "./map.ts";
import { graphCode, graphPicture } from "./picture.ts";
import { viewFile, viewSymbol } from "./symbol.ts";
import { viewTree } from "./tree.ts";
import { viewWeight } from "./weight.ts";

export const viewTools: Readonly<Record<string, Tool>> = {
  view_map: viewMap, view_local: viewLocal, view_symbol: viewSymbol, view_file: viewFile, view_nodes: viewNodes, view_figures: viewFigures,
  view_impact: viewImpact, view_tree: viewTree, view_group: viewGroup, view_between: viewBetween, view_weight: viewWeight,
  graph_picture: graphPicture, graph_code: graphCode, complete,
};
