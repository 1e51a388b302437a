import { expect, test } from "vitest";
import { difference, inWords, open, parse, unclustered } from "../../../../test/workspaces.ts";

const USES = "function use() { return depth + new App.Panel().size; }\nfunction cross() { window.bridge.send(); }\n";
const BRIDGE = "export declare class Bridge { send(): void; }\n";

/** What a file makes global is changed, and `use.js`, which uses it, is not. */
test.each<[string, before: string, after: string, edge: RegExp]>([
  ["makes it only once a function is called", "globalThis.depth = 3;\n", "function install() { globalThis.depth = 3; }\n", /^REFERENCES .*use\.js:use -> Variable:made\.ts:depth .*"confidence":0\.5/],
  ["puts it on another name", "App.Panel = class {};\n", "Other.Panel = class {};\n", /^CALLS .*use\.js:use -> Class:made\.ts:Panel/],
  ["says no more what Window has", `${BRIDGE}declare global { interface Window { bridge: Bridge } }\n`, `${BRIDGE}interface Window { bridge: Bridge }\n`, /^CALLS .*use\.js:cross -> .*Bridge\.send/],
])("uses of a global name follow when the file that makes it %s", async (_, before, after, edge) => {
  const files = (made: string): Record<string, string> => ({ "made.ts": made, "use.js": USES });
  const workspace = await open(files(before));
  const first = inWords(workspace.codebase!, false).filter((word) => edge.test(word)).length;
  const now = inWords(await workspace.update(difference(files(before), files(after)), parse), false);
  expect(now).toEqual(inWords((await unclustered(files(after))).codebase!, false));
  expect(now.filter((word) => edge.test(word))).toHaveLength(1 - first);
});
