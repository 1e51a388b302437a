import { expect, test } from "vitest";
import type { Picture, PictureNode } from "../engine/view/picture.ts";
import { planOf } from "./draw.ts";

const node = (x: number, y: number, more: Partial<PictureNode> = {}): PictureNode => ({ id: `${x}/${y}`, name: `n${x}${y}`, kind: "Function", file: "a.ts", line: 1, x, y, ...more });

const columns: Picture = {
  layout: "columns", title: "What depends on it", about: "6 symbols", heads: ["2 calls away", "direct", ""],
  nodes: [node(0, 0), node(0, 1), node(0, 2), node(1, -1), node(1, 0), node(2, 0, { main: true })],
  edges: [0, 3, 1, 1, 3, 1, 2, 4, 1, 3, 5, 1, 4, 5, 1],
};

test.each([300, 360, 535, 536, 720, 1200])("columns of a picture that is %d wide do not overlap", (wide) => {
  const { boxes, marks, heads, width, height } = planOf(columns, wide);
  boxes.forEach((box, i) => {
    expect(box.x).toBeGreaterThanOrEqual(0);
    expect(box.x + box.width).toBeLessThanOrEqual(width);
    expect(box.y + box.height).toBeLessThanOrEqual(height);
    for (const other of boxes.slice(0, i)) {
      expect(box.x + box.width <= other.x || other.x + other.width <= box.x || box.y + box.height <= other.y || other.y + other.height <= box.y).toBe(true);
    }
  });
  // Nothing has to be scrolled to sideways, and what calls stands before what is called.
  expect(width).toBe(wide);
  for (let e = 0; e < columns.edges.length; e += 3) {
    const [from, to] = [marks[columns.edges[e]!]!, marks[columns.edges[e + 1]!]!];
    expect(wide < 536 ? from.y < to.y : from.x < to.x).toBe(true);
  }
  heads.forEach(({ y }, i) => columns.nodes.forEach(({ x }, n) => { if (x === i && columns.heads![i] !== "") expect(marks[n]!.y).toBeGreaterThan(y); }));
});
