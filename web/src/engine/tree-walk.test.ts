import { Parser, type Tree } from "web-tree-sitter";
import { expect, test } from "vitest";
import { loadGrammar } from "../../test/languages.ts";
import { walk } from "./tree-walk.ts";

const SOURCE = `/* a comment */
export class A<T> extends B { run(x = 1): T { return this.go(\`\${x}\`, [1, , 2]) } }
const é = "ä", broken = ( ;
if (a) { } else { for (const x of y) z(x) }`;

async function parsed(source: string): Promise<Tree> {
  const grammar = await loadGrammar("typescript");
  const parser = new Parser();
  parser.setLanguage(grammar);
  return parser.parse(source)!;
}

type Visit = [type: number, field: number, start: number, end: number, missing: boolean, parent: number, depth: number];

/** What a walk has to say, as the tree's own nodes say it. */
function expected(tree: Tree): { visits: Visit[]; left: number[] } {
  const visits: Visit[] = [];
  const left: number[] = [];
  const cursor = tree.walk();
  const visit = (parent: number): void => {
    const node = visits.length;
    visits.push([cursor.nodeTypeId, cursor.currentFieldId, cursor.startIndex, cursor.endIndex, cursor.nodeIsMissing, parent, cursor.currentDepth]);
    if (!cursor.gotoFirstChild()) return;
    do visit(node); while (cursor.gotoNextSibling());
    cursor.gotoParent();
    left.push(node);
  };
  visit(-1);
  cursor.delete();
  return { visits, left };
}

test("a walk visits every node in document order, and leaves those that hold others", async () => {
  const tree = await parsed(SOURCE);
  expect(tree.rootNode.hasError).toBe(true);
  const visits: Visit[] = [];
  const left: number[] = [];
  walk(tree, (at, parent, depth) => visits.push([at.type, at.field, at.start, at.end, at.missing, parent, depth]) - 1, (node) => left.push(node));
  expect(visits.length).toBeGreaterThan(80);
  expect({ visits, left }).toEqual(expected(tree));
});

test("what is not entered is passed over, and the next walk begins at the root again", async () => {
  const tree = await parsed(SOURCE);
  const top = tree.rootNode.children.map((child) => [child.typeId, child.startIndex]);
  for (let round = 0; round < 2; round++) {
    const seen: number[][] = [];
    walk(tree, (at, _, depth) => {
      if (depth > 0) seen.push([at.type, at.start]);
      return depth === 0 ? 0 : -1;
    }, () => undefined);
    expect(seen).toEqual(top);
  }
});

test("a visitor that throws ends the walk, and the tree is as good as before", async () => {
  const tree = await parsed("a; b; c;");
  let seen = 0;
  expect(() => walk(tree, () => {
    if (++seen === 3) throw new Error("enough");
    return seen;
  }, () => undefined)).toThrow("enough");
  expect(tree.rootNode.childCount).toBe(3);
});
