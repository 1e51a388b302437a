/** A composite tool is cheaper than the single tools that it replaces. */
import { expect, it } from "vitest";
import { costs } from "../../../test/costs.ts";

it("a composite tool takes one call and fewer bytes than the single tools, on the engine's own sources", async () => {
  const found = await costs();
  expect(found.map(({ tool }) => tool)).toEqual(["deep_dive", "review_file", "trace_flow", "find_similar", "test_impact", "diff"]);
  for (const { tool, questions, composite, singles } of found) {
    expect(questions, tool).toBeGreaterThan(0);
    expect(composite.calls, tool).toBe(questions);
    expect(singles.calls, tool).toBeGreaterThanOrEqual(2 * questions);
    expect(composite.bytes, tool).toBeLessThan(0.9 * singles.bytes);
  }
}, 60_000);
