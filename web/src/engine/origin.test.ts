import { expect, test } from "vitest";
import { GraphBuilder } from "./graph-builder.ts";
import { originOf } from "./origin.ts";
import { addStructure, structureOf } from "./structure.ts";
import { hotspotsOf } from "./summary.ts";

test("copies are known by their folder, declarations by their ending, the rest by what its extractor says", () => {
  const origins = ["vendor/x/a.go", "pip/_vendor/a.py", "third_party/a.c", "Third_Party/a.c", "src/a.d.ts", "src/a.d.mts", "src/vendor.ts", "src/a.ts"]
    .map((path) => originOf(path, false));
  expect(origins).toEqual(["vendored", "vendored", "vendored", "vendored", "declarations", "declarations", "", ""]);
  expect(originOf("src/a_pb2.py", true)).toBe("generated");
  expect(originOf("vendor/x/a.pb.go", true)).toBe("vendored");
  for (const path of ["target/debug/build/a/out/b.rs", "core/target/wasm32-wasip1/release/build/b.rs", "target/generated-sources/A.java"]) expect(originOf(path, false)).toBe("generated");
  for (const path of ["src/target/mod.rs", "src/target/x86/mod.rs", "retarget/debug/a.rs"]) expect(originOf(path, false)).toBe("");
});

test("files and what they declare are marked, and are no hotspots", () => {
  const builder = new GraphBuilder();
  const symbol = { kind: "Function" as const, name: "f", parent: -1, line: 1, startLine: 1, endLine: 1, exported: true };
  const facts = { symbols: [symbol], data: undefined, syntaxErrors: 0 };
  const files = ["lib/a.d.ts", "src/a.ts", "vendor/a.ts"].map((path) => ({ path, lines: 1, language: "typescript", facts }));
  const nodes = addStructure(builder, "r", files.map(structureOf));
  const [declared, own, copied] = nodes.map(({ symbols }) => symbols);
  builder.edge(declared!, own!, "CALLS");
  builder.edge(copied!, own!, "CALLS");
  const graph = builder.build();
  expect(graph.nodes.filter(({ kind }) => kind !== "Folder").map(({ file, kind, origin, generated }) => [file, kind, origin, generated])).toEqual([
    ["lib/a.d.ts", "File", "declarations", true], ["src/a.ts", "File", "", false], ["vendor/a.ts", "File", "vendored", true],
    ["lib/a.d.ts", "Function", "declarations", true], ["src/a.ts", "Function", "", false], ["vendor/a.ts", "Function", "vendored", true],
  ]);
  expect(hotspotsOf(graph, 10).map(({ file }) => file)).toEqual(["src/a.ts"]);
});
