/**
 * Times the opening of a kept repository, in a real Chromium, through the real server and a real agent: from opening the
 * app's address until the first tool answers, the call being there from the start, and until the view has the graph:
 *   npx tsx bench/reopen.ts BINARY DIR [ROUNDS]
 */
import { basename } from "node:path";
import { kept, loaded, median, open, rest } from "./served.ts";

const [binary, dir, rounds = "7"] = process.argv.slice(2);
if (!binary || !dir) throw new Error("usage: tsx bench/reopen.ts BINARY DIR [ROUNDS]");
const { client, page, address, close } = await open(binary, dir);
while ((await kept(page)).bytes === 0) await rest(100);
const { bytes } = await kept(page);
const answered: number[] = [];
const opened: number[] = [];
for (let i = 0; i < Number(rounds); i++) {
  await page.goto("about:blank");
  await rest(1_000);
  const started = performance.now();
  const going = page.goto(address).then(() => loaded(page)).then(() => opened.push(performance.now() - started));
  const result = await client.callTool({ name: "search", arguments: { query: "read", limit: 1 } });
  answered.push(performance.now() - started);
  if (result.isError) throw new Error(JSON.stringify(result.structuredContent));
  await going;
  await rest(2_500); // what is read behind the answers
}
console.log(`${basename(dir)} opened again, ${(bytes / 1e6).toFixed(1)} MB kept; median and worst of ${rounds}`);
console.log(`  until the first answer ${median(answered).toFixed(0)} ms, ${Math.max(...answered).toFixed(0)} ms`);
console.log(`  until the view has the graph ${median(opened).toFixed(0)} ms, ${Math.max(...opened).toFixed(0)} ms`);
await close();
