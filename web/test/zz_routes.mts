import { execFileSync } from "node:child_process";
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { codebaseOf } from "./codebase.ts";
for (const dir of process.argv.slice(2)) {
const repo: Record<string, string> = {};
for (const path of execFileSync("git", ["-C", dir, "ls-files"], { encoding: "utf8" }).split("\n")) {
  const file = join(dir, path);
  const stat = path === "" ? undefined : statSync(file, { throwIfNoEntry: false });
  if (stat?.isFile() && stat.size <= 1 << 20) repo[path] = readFileSync(file, "utf8");
}
const { graph } = await codebaseOf(repo);
console.log("#### " + dir);
graph.nodes.forEach((node, i) => { if (node.kind === "Route") console.log(`${node.file}:${node.line} ${node.signature}  ==> ${graph.out(i, "HANDLES").map((e) => `${graph.nodes[graph.to[e]!]!.id.split(":").at(-1)} ${graph.confidence[e]!.toFixed(1)}`).sort().join("; ")}`); });
}
