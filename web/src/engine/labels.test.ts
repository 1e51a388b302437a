import { expect, test } from "vitest";
import { graphOf } from "../../test/graph.ts";
import { labelGroups } from "./labels.ts";

/** The labels of groups that are given as the files of their members. */
function labelsOf(groups: Readonly<Record<string, readonly string[]>>): string[] {
  const names = Object.entries(groups).flatMap(([word, files]) => files.map((file, i) => [`${word}Word${String.fromCharCode(97 + i)}`, file] as const));
  const graph = graphOf(names.map(([name]) => `${name} > ${name}`), Object.fromEntries(names.map(([name, file]) => [name, { file }])));
  return labelGroups(graph, Object.keys(groups).map((word) => names.filter(([name]) => name.startsWith(word)).map(([name]) => graph.nodes.findIndex((node) => node.name === name))));
}

test("a folder says it where most of the group is right in it or below", () => {
  expect(labelsOf({ pull: ["pkg/cmd/codespace/a.go", "pkg/cmd/codespace/b.go", "pkg/cmd/codespace/c/d.go", "internal/api/e.go"] })).toEqual(["cmd/codespace"]);
  // Scattered below: where to look is not said by that alone.
  expect(labelsOf({ pull: ["pkg/a/b/c.go", "pkg/d/e/f.go", "pkg/g/h/i.go", "pkg/j/k/l.go"] })).toEqual(["pkg: pull"]);
});

test("a file that has its folder's name is told as the folder", () => {
  expect(labelsOf({ find: ["pkg/search/search.go", "pkg/search/search.go", "pkg/search/other.go"] })).toEqual(["pkg/search"]);
  expect(labelsOf({ find: ["routing.py", "routing.py"] })).toEqual(["routing"]);
});

test("groups of one place are told by where a good part of each is", () => {
  expect(labelsOf({
    user: ["app/models/user.rb", "app/models/user.rb", "app/models/token.rb", "app/models/role.rb"],
    query: ["app/models/query.rb", "app/models/query.rb", "app/models/filter.rb", "app/models/column.rb"],
  })).toEqual(["models/user", "models/query"]);
});
