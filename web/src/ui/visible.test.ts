import { h } from "preact";
import { expect, test } from "vitest";
import { showHidden, visible } from "./visible.ts";

test("hidden characters are shown as escapes, and others stay", () => {
  expect(visible("access\u202e\u2066admin\u2069")).toBe("access\\u202E\\u2066admin\\u2069");
  expect(visible("a\u3164b\u{e0041}\x1b[2J\u00ad\ufeff\ufe01")).toBe("a\\u3164b\\uDB40\\uDC41\\u001B[2J\\u00AD\\uFEFF\\uFE01");
  const plain = "ü — 日本語 👩‍💻 ❤️\n\tعربى";
  expect(visible(plain)).toBe(plain);
});

test("elements show their text and their titles so", () => {
  showHidden();
  const name = "a\u202eb";
  const vnode = h("p", { title: name, class: name }, "x", [name, ["y", name]], h("b", null, name));
  expect(vnode.props).toMatchObject({ title: "a\\u202Eb", class: name });
  expect(JSON.stringify((vnode.props.children as unknown[]).slice(0, 2))).toBe(JSON.stringify(["x", ["a\\u202Eb", ["y", "a\\u202Eb"]]]));
  expect((vnode.props.children as { props: unknown }[])[2]!.props).toEqual({ children: "a\\u202Eb" });
});
