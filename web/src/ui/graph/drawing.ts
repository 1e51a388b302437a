/** The drawn graph: sigma over graphology, laid out by a Worker. Knows nothing of the store. */
import { MultiDirectedGraph } from "graphology";
import Sigma from "sigma";
import { EDGE_TYPES } from "../../engine/graph.ts";
import type { ViewGraph } from "../../messages.ts";
import { litNodes } from "../lit.ts";
import type { ColourBy } from "../state.ts";
import { isSettled, layoutInput, startPositions, type LayoutCommand, type LayoutEvent, type LayoutInput, type Places } from "./layout.ts";
import { drawHover, drawLabel, Overlay } from "./overlay.ts";
import { clusterRanks, faded, normalColour, type Palette } from "./palette.ts";

/** How the graph is to be shown. */
export interface Look {
  palette: Palette;
  colourBy: ColourBy;
  hiddenKinds: ReadonlySet<string>;
  hiddenEdges: ReadonlySet<number>;
  /** Id of the selected node; null for none. */
  selected: string | null;
  /** What an agent points at. */
  highlight: { nodeIds: readonly string[]; color: string } | null;
  /** Labels that agents wrote at nodes, by their ids. */
  annotations: readonly { nodeId: string; label: string; color: string }[];
  /** What is to be brought into view, whenever it is another object; no nodes: everything. */
  sight: { nodeIds: readonly string[] } | null;
  /** No motion beyond what is asked for. */
  still: boolean;
  /** Pixels at the right that something else lies over. */
  covered: number;
  /** The tab has work that somebody waits for: to arrange the nodes, which takes a core and tens of megabytes, can wait. */
  busy: boolean;
}

export interface DrawingEvents {
  /** A node was clicked; null: the ground beside them. */
  onClick(index: number | null): void;
  onLayout(running: boolean): void;
  /** WebGL went away: this drawing is dead, make another. */
  onLost(): void;
}

interface NodeLook {
  x: number;
  y: number;
  size: number;
  label: string;
  index: number;
}

interface EdgeLook {
  index: number;
}

const LARGEST = 17;
const HUBS = 28;

/** Draws one ViewGraph. Throws when there is no WebGL. Call `dispose` at the end. */
export class GraphDrawing {
  private readonly graph = new MultiDirectedGraph<NodeLook, EdgeLook>();
  private readonly sigma: Sigma<NodeLook, EdgeLook>;
  private readonly overlay: Overlay;
  private readonly ranks: Map<number, number>;
  private readonly indexes = new Map<string, number>();
  private readonly observer: ResizeObserver;
  /** Not arranged yet. */
  private waiting: LayoutInput | undefined;
  private layout: Worker | undefined;
  private frame = 0;
  /** Nodes that are not dimmed; null when none are. */
  private lit: Set<number> | null = null;
  /** Nodes that an agent points at. */
  private pointed = new Set<number>();
  private pointColour = "";

  constructor(
    container: HTMLElement,
    private readonly view: ViewGraph,
    private look: Look,
    private readonly events: DrawingEvents,
    /** The drawing of the graph before a change: what it shows stays where it is. */
    before?: Places,
  ) {
    this.ranks = clusterRanks(view.nodes);
    const settled = before !== undefined && isSettled(view, before);
    const input = layoutInput(view);
    this.fill(settled ? startPositions(view, before) : input.positions);
    this.sigma = new Sigma(this.graph, container, {
      allowInvalidContainer: true,
      zIndex: true,
      minEdgeThickness: 1.1,
      labelDensity: 0.6,
      labelGridCellSize: 130,
      labelRenderedSizeThreshold: this.labelFrom(),
      labelSize: 12,
      stagePadding: 40,
      maxCameraRatio: 4,
      minCameraRatio: 0.01,
      hideEdgesOnMove: view.edgeTypes.length > 20_000,
      defaultDrawNodeLabel: (context, data) => drawLabel(context, data, this.look.palette),
      defaultDrawNodeHover: (context, data) => drawHover(context, data, this.look.palette),
      nodeReducer: (_, data) => this.nodeLook(data),
      edgeReducer: (_, data) => this.edgeLook(data),
    });
    this.overlay = new Overlay(this.sigma, view, this.ranks);
    this.bind(container);
    this.observer = new ResizeObserver(() => {
      this.sigma.resize();
      this.sigma.scheduleRender();
    });
    this.observer.observe(container);
    if (!settled) this.waiting = input;
    this.events.onLayout(!settled);
    this.setLook(look);
  }

  /** Where everything stands now; undefined while nothing is arranged. */
  places(): Places | undefined {
    return this.waiting ? undefined : new Map(this.graph.mapNodes((id, { x, y }) => [id, { x, y }]));
  }

  setLook(look: Look): void {
    const pointed = look.highlight !== this.look.highlight;
    const sight = look.sight !== this.look.sight ? look.sight : null;
    const moved = look.selected !== null && look.selected !== this.look.selected;
    this.look = look;
    const highlighted = (look.highlight?.nodeIds ?? []).flatMap((id) => this.indexes.get(id) ?? []);
    const selected = look.selected === null ? undefined : this.indexes.get(look.selected);
    this.pointed = new Set(highlighted);
    this.pointColour = normalColour(look.highlight?.color ?? "", look.palette.point);
    this.lit = litNodes(this.view, highlighted, selected);
    this.overlay.set({
      palette: look.palette,
      labels: look.colourBy === "cluster" && this.lit === null,
      hidden: (index) => this.isHidden(index),
      rings: highlighted.filter((i) => !this.isHidden(i)).map((i) => this.view.nodes[i]!.id),
      ringColour: this.pointColour,
      selected: selected === undefined ? null : this.view.nodes[selected]!.id,
      notes: look.annotations.flatMap(({ nodeId, label, color }) => {
        const index = this.indexes.get(nodeId);
        return index === undefined || this.isHidden(index) ? [] : [{ id: nodeId, label, colour: normalColour(color, look.palette.point) }];
      }),
    });
    this.sigma.refresh({ skipIndexation: true, schedule: true });
    if (this.waiting && !look.busy) this.arrange(this.waiting);
    if (sight?.nodeIds.length === 0) {
      this.fit();
    } else if (sight) {
      this.show(sight.nodeIds);
    } else if (pointed && highlighted.length > 0) {
      this.showPointed();
      if (!look.still) this.overlay.pulse();
    } else if (moved && look.selected !== null && !this.inSight(look.selected)) {
      this.show([look.selected]);
    }
  }

  /** Brings nodes into view; those that are not drawn are passed over. */
  show(ids: readonly string[]): void {
    // Between a change and its frame, sigma has positions that are not yet in the camera's terms.
    this.sigma.refresh();
    const at = ids.flatMap((id) => this.sigma.getNodeDisplayData(id) ?? []);
    if (at.length === 0) return;
    const xs = at.map((p) => p.x);
    const ys = at.map((p) => p.y);
    const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
    const camera = this.sigma.getCamera();
    const ratio = at.length === 1
      ? Math.min(camera.ratio, 0.4)
      : Math.min(1.1, Math.max(0.12, 1.7 * Math.max(right - left, bottom - top)));
    // Half of what is covered, in the camera's units at that ratio.
    const a = this.sigma.viewportToFramedGraph({ x: 0, y: 0 });
    const b = this.sigma.viewportToFramedGraph({ x: this.look.covered / 2, y: 0 });
    const shift = ((b.x - a.x) * ratio) / camera.ratio;
    this.move({ x: (left + right) / 2 + shift, y: (top + bottom) / 2, ratio });
  }

  zoom(factor: number): void {
    this.move({ ratio: this.sigma.getCamera().ratio / factor });
  }

  /** Moves the camera by parts of what is seen. */
  pan(right: number, down: number): void {
    const { x, y, ratio } = this.sigma.getCamera().getState();
    this.move({ x: x + right * ratio, y: y - down * ratio });
  }

  fit(): void {
    this.move({ x: 0.5, y: 0.5, ratio: 1, angle: 0 });
  }

  /** Nodes that the filters leave. */
  drawnNodes(): number {
    let drawn = 0;
    for (let i = 0; i < this.view.nodes.length; i++) if (!this.isHidden(i)) drawn++;
    return drawn;
  }

  dispose(): void {
    this.layout?.terminate();
    cancelAnimationFrame(this.frame);
    this.observer.disconnect();
    this.overlay.dispose();
    this.sigma.kill();
  }

  private inSight(id: string): boolean {
    this.sigma.refresh();
    const node = this.sigma.getNodeDisplayData(id);
    // What is not drawn cannot be brought into sight.
    if (!node) return true;
    const { x, y } = this.sigma.framedGraphToViewport(node);
    const { width, height } = this.sigma.getDimensions();
    return x > 20 && y > 20 && x < width - this.look.covered - 20 && y < height - 20;
  }

  private showPointed(): void {
    this.show([...this.pointed].map((i) => this.view.nodes[i]!.id));
  }

  private fill(positions: Float32Array): void {
    const n = this.view.nodes.length;
    // The more nodes, the smaller they all are; area grows with degree.
    const unit = Math.max(0.55, Math.min(1.25, 26 / Math.sqrt(n + 1)));
    this.view.nodes.forEach((node, index) => {
      this.indexes.set(node.id, index);
      const size = Math.min(LARGEST, unit * (2.2 + 1.15 * Math.sqrt(node.degree)));
      this.graph.addNode(node.id, { x: positions[2 * index]!, y: positions[2 * index + 1]!, size, label: node.name, index });
    });
    this.view.edgeTypes.forEach((_, e) => {
      const from = this.view.nodes[this.view.edges[2 * e]!]!.id;
      const to = this.view.nodes[this.view.edges[2 * e + 1]!]!.id;
      this.graph.addEdgeWithKey(String(e), from, to, { index: e });
    });
  }

  /** The size from which on a node's name is written when all are in view: that of the hubs. */
  private labelFrom(): number {
    const sizes = this.graph.mapNodes((_, { size }) => size).sort((a, b) => b - a);
    return Math.min(6, sizes[Math.min(HUBS, sizes.length) - 1] ?? 0);
  }

  private bind(container: HTMLElement): void {
    this.sigma.on("clickNode", ({ node }) => this.events.onClick(this.indexes.get(node) ?? null));
    this.sigma.on("clickStage", () => this.events.onClick(null));
    this.sigma.on("enterNode", () => (container.style.cursor = "pointer"));
    this.sigma.on("leaveNode", () => (container.style.cursor = ""));
    for (const canvas of Object.values(this.sigma.getCanvases())) {
      canvas.addEventListener("webglcontextlost", () => this.events.onLost(), { once: true });
    }
  }

  private arrange(input: LayoutInput): void {
    this.waiting = undefined;
    const layout = (this.layout = new Worker(new URL("./layout.worker.ts", import.meta.url), { type: "module" }));
    const tell = (command: LayoutCommand): void => layout.postMessage(command);
    layout.onmessage = ({ data }: MessageEvent<LayoutEvent>) => {
      if (data.done) layout.terminate();
      cancelAnimationFrame(this.frame);
      const place = (): void => {
        this.place(data.positions);
        if (data.done) this.events.onLayout(false);
        // What an agent points at may have moved out of view.
        if (data.done && this.pointed.size > 0) this.showPointed();
        if (!data.done) tell({ type: "drawn" });
      };
      // Motion is the news of a layout, not its result: who wants none gets the result.
      if (data.done) place();
      else if (!this.look.still) this.frame = requestAnimationFrame(place);
    };
    layout.onerror = () => this.events.onLayout(false);
    tell({ type: "start", input });
  }

  private place(positions: Float32Array): void {
    this.graph.updateEachNodeAttributes((_, node) => {
      node.x = positions[2 * node.index]!;
      node.y = positions[2 * node.index + 1]!;
      return node;
    }, { attributes: ["x", "y"] });
    this.overlay.moved();
  }

  private move(state: { x?: number; y?: number; ratio?: number; angle?: number }): void {
    const camera = this.sigma.getCamera();
    if (this.look.still) camera.setState(state);
    else void camera.animate(state, { duration: 320 });
  }

  private isHidden(index: number): boolean {
    return this.look.hiddenKinds.has(this.view.nodes[index]!.kind);
  }

  private nodeLook({ index, x, y, size, label }: NodeLook): Record<string, unknown> {
    const { palette, colourBy, selected } = this.look;
    const node = this.view.nodes[index]!;
    const base = colourBy === "kind" ? palette.kind(node.kind) : palette.cluster(this.ranks.get(node.community) ?? -1);
    const hidden = this.isHidden(index);
    if (!this.lit) return { x, y, size, label, hidden, color: base, zIndex: 0 };
    if (!this.lit.has(index)) return { x, y, size, hidden, label: null, color: faded(base, 0.13), zIndex: 0 };
    const pointed = this.pointed.has(index);
    return {
      x, y, label, hidden, size: pointed ? Math.max(size, 5) : size, color: base, zIndex: 1,
      forceLabel: node.id === selected || (pointed && this.pointed.size <= 40),
    };
  }

  private edgeLook({ index }: EdgeLook): Record<string, unknown> {
    const { palette, hiddenEdges, selected } = this.look;
    const from = this.view.edges[2 * index]!;
    const to = this.view.edges[2 * index + 1]!;
    const type = this.view.edgeTypes[index]!;
    if (hiddenEdges.has(type)) return { hidden: true };
    const structural = EDGE_TYPES[type] === "CONTAINS" || EDGE_TYPES[type] === "DEFINES";
    if (!this.lit) return { color: faded(palette.edge, structural ? 0.16 : 0.3), size: 1.1, zIndex: 0 };
    const touchesSelected = this.view.nodes[from]!.id === selected || this.view.nodes[to]!.id === selected;
    if (touchesSelected) return { color: faded(palette.accent, 0.8), size: 2, zIndex: 2, type: "arrow" };
    if (this.pointed.has(from) && this.pointed.has(to)) {
      return { color: faded(this.pointColour, 0.8), size: 2.2, zIndex: 1, type: "arrow" };
    }
    return { color: faded(palette.edge, 0.07), size: 1, zIndex: 0 };
  }
}
