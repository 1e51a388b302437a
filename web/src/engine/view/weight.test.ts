import { expect, it } from "vitest";
import { TextFiles } from "../files.ts";
import { fakeRepository } from "../../../test/fake-repository.ts";
import { viewWeight } from "./weight.ts";

it("names the heaviest folders, none inside another and none with most of the source", async () => {
  const { codebase } = fakeRepository(20);
  const files = new TextFiles(new Map([["src/a/x.ts", "x".repeat(400)], ["src/b/y.ts", "y".repeat(300)], ["third/party/z.ts", "z".repeat(290)], ["main.ts", "m".repeat(10)]]));
  const context = { codebase: { ...codebase, files } } as unknown as Parameters<typeof viewWeight>[1];
  expect(await viewWeight({}, context)).toEqual({
    source: 1000,
    folders: [{ path: "src/a", source: 400, files: 1 }, { path: "src/b", source: 300, files: 1 }, { path: "third", source: 290, files: 1 }],
  });
});
