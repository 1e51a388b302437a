import { expect, it } from "vitest";
import { dice } from "../../../../test/edits.ts";
import { extract } from "../../../../test/languages.ts";
import { files } from "./files.ts";
import { codeOf } from "./markup.ts";
import { reader } from "./reader.ts";

/** The code of a text, with one blank where it has several. */
function code(path: string, text: string): string {
  return codeOf(path, text).split("\n").map((line) => line.replace(/ +/g, " ").trim()).join("\n").trim();
}

const vue = (markup: string): string => code("a.vue", `<template>\n${markup}\n</template>`).replace(/^template:\{\n/, "").replace(/\n\}$/, "").trim();
const svelte = (markup: string): string => code("a.svelte", markup);

it.each([
  ["<p :a='b' @c=\"d(e)\">{{ f }}</p>", ";(b); ;(d(e));;( f );"],
  ["<p @f=\"g.h\" @c=\"a = 1; b()\" @d='if (a) b()' @e=\"async () => { await a; }\" />", ";g.h() ; ;{a = 1; b()}; ;{if (a) b()}; ;(async () => { await a; });"],
  ["<p :class=\"{ a: b }\" :style='[c, d]'/>", ";({ a: b }); ;([c, d]);"],
  ["<p v-if=\"a &lt; b &amp;&amp; c\" v-else :d v-bind:e-f g=\"h\">i { j }</p>", ";(a < b && c) ; ;d;;eF ;"],
  ["<li v-for=\"(a, i) in b\" :key=\"a.c\">{{ i }}</li>", "{ ;let[a]= b,i; ;(a.c);;( i );}"],
  ["<li v-for=\"{ a, c } of b\">{{ c }}</li>", "{ ;let[{ a, c }]= b; ;( c );}"],
  ["<img v-for=\"a in 3\" :src=\"a\"><br>{{ b }}", "{ ;let[a]= 3; ;(a)} ;( b );"],
  ["<A><template #b=\"{ c, d = 1 }\">{{ c }}</template></A><e.F/>", ";A;{ ;let{ c, d = 1 }; ;( c );} ;e.F;"],
  ["<A v-slot=\"b\" slot-scope=\"c\" v-model.trim='d' ref=\"e\" ref='f g'/>", "{A;;let b; ;let c; ;(d); ;(e); }"],
  ["<p v-pre :a=\"b\">{{ c }}<b>{{ d }}</b></p>{{ e }}", ";( e );"],
  ["<!-- {{ a }} --><pre>{{ `}${b}` }}</pre>", ";( `}${b}` );"],
  ["<p :a=\"b // c\" :d=\"e f(\" :g='' @h>{{ i( }}</p>", ""],
])("puts statements in the place of Vue's %s", (markup, statements) => {
  expect(vue(markup)).toBe(statements);
});

it.each([
  ["{a}{b.c()}", ";a;;b.c();"],
  ["<p on:a={b} c={{ d: 1 }} e=\"f {g} h\" i='{j}' {k} {...l}>", ";b(); ;({ d: 1 }); ;g; ;(j); ;k; ; l;"],
  ["<p class:a class:b={c} bind:d use:e={f} in:g|local>", ";a ; ;(c);;d ;;e ;(f);;g ;"],
  ["{#each a as b, i (b.c)}{i}{:else}{d}{/each}{e}", "{let[b]=a,i;(b.c); ;i;}{ ;d;} ;e;"],
  ["{#each a as { b, c }}{c}{/each}", "{let[{ b, c }]=a; ;c;}"],
  ["{#each [\n1,\n] as [a, b]}{a}{/each}", "{; [\n1,\n];let[a, b];;a;}"],
  ["{#each { length: 3 }, i}{i}{/each}", "{;({ length: 3 });let i;;i;}"],
  ["{#if a}b{:else if c}{c}{:else}{d}{/if}", "{; a; }{; c; ;c;}{ ;d;}"],
  ["{#await a then b}{b}{:catch c}{c}{/await}", "{let b=await a; ;b;}{let c; ;c;}"],
  ["{#await a}{:then { b }}{b}{/await}", "{; a; }{let{ b }; ;b;}"],
  ["{#key a}{@html b}{@const c = d}{/key}", "{; a; ; b; ;const c = d; }"],
  ["{#snippet a(b)}{b}{/snippet}{@render a(1)}", ";function a(b){;b;} ; a(1);"],
  ["<A>{#snippet a({ b })}{b}{/snippet}</A>", ";A;;(({ b })=>{ ;b;});"],
  ["<A let:b let:c={d}><E.F/></A>", "{A;let b;let d; ;E.F; }"],
  ["<svelte:component this={A} on:b />", ";(A);"],
  ["{'}'}{/* } */}{/}/.test(a)}{`${{}}`}", ";'}';;/* } */;;/}/.test(a);;`${{}}`;"],
])("puts statements in the place of Svelte's %s", (markup, statements) => {
  expect(svelte(markup)).toBe(statements);
});

it("takes scripts as they are, and nothing of styles, other blocks and scripts of other kinds", () => {
  expect(code("a.vue", "<script setup>\nlet a = '<b>';\n</script>\n<i18n>{ x }</i18n><docs>{{ y }}</docs>\n<style>p { z: v-bind(a) }</style>")).toBe(";\nlet a = '<b>';\n;");
  expect(code("a.svelte", "<script context=\"module\">a</script><script>b</script><svelte:head><script>c</script></svelte:head><style>d { e: f }</style>")
    .replace(/\s+/g, " ")).toBe("; a; ; b;");
  expect(code("a.vue", "<script type=\"application/json\">{ a }</script>\n<template lang=\"pug\">p {{ b }}</template>")).toBe("");
  expect(code("a.vue", "<script src=\"./a.ts\"></script>")).toBe(";export{default}from\"./a.ts\";");
  expect(["", "<script>", "<script lang=\"ts\">", "<script setup lang='tsx'>", "<script type=text/typescript>"].map((text) => reader.grammar("a.vue", text))).toEqual(["tsx", "tsx", "typescript", "tsx", "typescript"]);
});

it("still has the scripts of a file whose markup cannot be read", () => {
  for (const markup of ["<p :a=\"", "<p", "<!--", "<template><div>{{ a", "<template><ul v-for=\"a in b\"><li>"]) expect(code("a.vue", `<script>\nb()\n</script>\n${markup}`)).toContain("b()");
  for (const markup of ["{#if a}", "{a", "{:else}", "{/each}", "<p a={", "{'}", "<p a=\"", "<style>"]) expect(code("a.svelte", `<script>\nb()\n</script>\n${markup}`)).toContain("b()");
});

it("keeps the length and all ends of lines, whatever the text", () => {
  const pieces = ["<", "</", "<A", "<p ", "<li v-for=\"a in b\">", "</li>", ">", "/>", "{{", "}}", "{", "}", "{#each a as b}", "{/each}", "{:else}", "{#snippet a(b)}", "\"", "'", "`", "${", "(", ")", "[", "]",
    " :a=\"", " @b='", "#c=\"", "let:d", "={", "a", " as ", " in ", "\n", "\r\n", "\u2028", "<!--", "-->", "<script>", "</script>", "<template>", "</template>", "<style>", "</style>", "//", "/*", "*/", "/", ";", "&amp;", "\ud83d", "é"];
  const roll = dice(7);
  for (let i = 0; i < 4_000; i++) {
    let text = "";
    for (let k = roll(30); k >= 0; k--) text += pieces[roll(pieces.length)]!;
    for (const path of ["a.vue", "a.svelte"]) {
      const found = codeOf(path, path === "a.vue" && i % 2 === 0 ? `<template>${text}</template>` : text);
      const from = path === "a.vue" && i % 2 === 0 ? `<template>${text}</template>` : text;
      expect(found.length).toBe(from.length);
      expect(found.replace(/[^\n\r\u2028\u2029]/g, "·")).toBe(from.replace(/[^\n\r\u2028\u2029]/g, "·"));
    }
  }
});

it.each(["<a>", "<A", "<A ", "</a>", "<a v-for=\"b in c\">", "{{", "{{ a }}", "{", "{a}", "{#if a}", "{#if a}{/if}", "{#each a as b}", "{:else}", "{/if}", "\"", " :a=\"'", "{'", "`${", "{`${", "(", "/[", "{a=/[", "<!--", "<script>", "<script", "<script lang", "<template>", "<style>", "<a-b>", "<A-b1 c/>", "<p :a=\"b\">", "{a as b ", "&amp;", " "])("is quick with 60,000 characters of %s", (piece) => {
  const text = piece.repeat(Math.ceil(60_000 / piece.length));
  const started = performance.now();
  for (const [path, whole] of [["a.vue", text], ["a.vue", `<template>${text}</template>`], ["a.vue", `<template><p v-for="${text} in a" :b="${text}">`], ["a.svelte", text], ["a.svelte", `{#each ${text}`]] as const) {
    codeOf(path, whole);
    reader.grammar(path, whole);
  }
  expect(performance.now() - started).toBeLessThan(3_000);
});

it("declares nothing and exports nothing for markup, and makes no global of a component's names", async () => {
  const facts = await extract(files, "a.vue", "<template><p v-for=\"a in b\"><A v-slot=\"{ c }\">{{ c }}</A></p></template>\n<script setup>\nconst b = [];\n</script>");
  expect(facts.symbols.map(({ name, exported, line }) => [name, exported, line])).toEqual([["b", false, 3]]);
  expect(facts.syntaxErrors).toBe(0);
  expect((facts.data as { globals: unknown[] }).globals).toEqual([]);
});
