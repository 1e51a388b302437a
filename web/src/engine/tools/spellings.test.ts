import { describe, expect, it } from "vitest";
import { codebaseOf } from "../../../test/codebase.ts";
import type { Codebase } from "../codebase.ts";
import { resolveNode } from "./names.ts";

const idOf = (codebase: Codebase, name: string): string => codebase.graph.nodes[resolveNode(codebase, name)]!.id;

it("JavaScript's prototype is the class", async () => {
  const codebase = await codebaseOf({ "layer.js": "function Layer() {}\nLayer.prototype.handle = function handle() {};\nmodule.exports = Layer;\n" });
  expect(idOf(codebase, "Layer.prototype.handle")).toBe("Method:layer.js:Layer.handle");
});

it("a private method of JavaScript has its sign, and a type before it may have one, too", async () => {
  const codebase = await codebaseOf({ "a.ts": "export class Cart {\n  #add(): void {}\n  add(): void { this.#add(); }\n}\n" });
  expect(idOf(codebase, "Cart.#add")).toBe("Method:a.ts:Cart.#add");
  expect(idOf(codebase, "a.ts:Cart.#add")).toBe("Method:a.ts:Cart.#add");
  expect(idOf(codebase, "#add")).toBe("Method:a.ts:Cart.#add");
  expect(idOf(codebase, "Cart#add")).toBe("Method:a.ts:Cart.add");
});

it("what is put on the object that has all global names may be called with that", async () => {
  const codebase = await codebaseOf({ "a.js": "(function () {\n  window.App = { start: function () {} };\n  globalThis.LIMIT = 4;\n})();\n" });
  expect(idOf(codebase, "window.App")).toBe("Variable:a.js:App");
  expect(idOf(codebase, "window.App.start")).toBe("Method:a.js:App.start");
  expect(idOf(codebase, "globalThis.LIMIT")).toBe("Variable:a.js:LIMIT");
});

describe("what a line declares", async () => {
  const codebase = await codebaseOf({
    "bag.c": "struct bag {\n\tint straps;\n};\n", "pan.py": "class Pan:\n    async def fry(self): ...\n", "area.rs": "pub struct Crate;\nimpl Crate {\n    pub(crate) fn area(&self) -> u32 { 1 }\n}\n",
    "mux.go": "package m\n\ntype Mux struct{}\n\nfunc (m *Mux) serve(n int) error { return nil }\n", "of.ts": "export function of(): void {}\nexport const options = { retry: 5 };\nexport abstract class Cart extends Base {}\n",
    "box.rb": "class Box < Crate\n  def empty? = true\nend\n",
  });

  it.each([
    ["struct bag", "Struct:bag.c:bag"],
    ["class Pan:", "Class:pan.py:Pan"],
    ["async def fry(self):", "Method:pan.py:Pan.fry"],
    ["pub(crate) fn area(&self) -> u32 {", "Method:area.rs:Crate.area"],
    ["type Mux struct {", "Struct:mux.go:Mux"],
    ["func (m *Mux) serve(n int) error {", "Method:mux.go:Mux.serve"],
    ["export const options = {", "Variable:of.ts:options"],
    ["export abstract class Cart extends Base {", "Class:of.ts:Cart"],
    ["class Box < Crate", "Class:box.rb:Box"],
    ["def empty?", "Method:box.rb:Box.empty?"],
  ])("%s", (name, id) => {
    expect(idOf(codebase, name)).toBe(id);
  });

  it.each(["type of thing", "function of the cart", "struct"])("no words of a question: %s", (name) => {
    expect(() => idOf(codebase, name)).toThrow();
  });
});

describe("a Go name", async () => {
  const codebase = await codebaseOf({
    "go.mod": "module github.com/acme/router/v5\n\ngo 1.26\n",
    "mux.go": "package router\n\ntype Mux struct{}\n\nfunc (m *Mux) routeHTTP() {}\n\nfunc (m *Mux) Logger() {}\n\nfunc New() *Mux {\n\treturn &Mux{}\n}\n",
    "middleware/logger.go": "package middleware\n\nfunc Logger() {}\n\ntype Map[K comparable, V any] struct{}\n\nfunc (m *Map[K, V]) Get(k K) {}\n",
    "other/other.go": "package other\n\nfunc New() {}\n",
  }, "checkout-of-it");

  it.each([
    ["(*Mux).routeHTTP", "Method:mux.go:Mux.routeHTTP"],
    ["router.(*Mux).routeHTTP", "Method:mux.go:Mux.routeHTTP"],
    ["github.com/acme/router/v5.(*Mux).routeHTTP(0xc000012345, {0x1, 0x2})", "Method:mux.go:Mux.routeHTTP"],
    ["github.com/acme/router/v5.(*Mux).routeHTTP-fm", "Method:mux.go:Mux.routeHTTP"],
    ["github.com/acme/router/v5/middleware.Logger", "Function:middleware/logger.go:Logger"],
    ["middleware.Logger.func1.2", "Function:middleware/logger.go:Logger"],
    ["(*Map[...]).Get", "Method:middleware/logger.go:Map.Get"],
    ["/home/me/checkout-of-it/mux.go:10 +0x1d", "Function:mux.go:New"],
    ["mux.go:5:14", "Method:mux.go:Mux.routeHTTP"],
    // A method has its type before it.
    ["Logger", "Function:middleware/logger.go:Logger"],
  ])("%s", (name, id) => {
    expect(idOf(codebase, name)).toBe(id);
  });

  it("stays ambiguous where two stand by themselves", () => {
    expect(() => idOf(codebase, "New")).toThrow("\"New\" is ambiguous: 2 match");
  });
});

describe("a name with other letters than English ones, or signs", async () => {
  const codebase = await codebaseOf({
    "laden.go": "package laden\n\ntype Öffner struct{}\n\nfunc (ö *Öffner) öffne() {}\n",
    "lager.rb": "class Lager\n  def leeren!(ganz)\n  end\n\n  def voll?\n  end\nend\n",
    "store.ts": "export function $fill(n: number): void {}\nexport class Box$ {\n  $open(): void {}\n}\n",
  }, "laden");

  it.each([
    ["(*Öffner).öffne", "Method:laden.go:Öffner.öffne"],
    ["func (ö *Öffner) öffne() {", "Method:laden.go:Öffner.öffne"],
    ["Öffner.öffne()", "Method:laden.go:Öffner.öffne"],
    ["Lager#leeren!(true)", "Method:lager.rb:Lager.leeren!"],
    ["voll?()", "Method:lager.rb:Lager.voll?"],
    ["$fill(3)", "Function:store.ts:$fill"],
    ["Box$.$open()", "Method:store.ts:Box$.$open"],
  ])("%s", (name, id) => {
    expect(idOf(codebase, name)).toBe(id);
  });
});

describe("a line of a stack trace", async () => {
  const codebase = await codebaseOf({
    "src/cart.ts": "export class Cart {\n  add(n: number): void {\n    this.check(n);\n  }\n\n  check(n: number): void {}\n}\n",
    "shop/cart.py": "class Cart:\n    def add(self, n):\n        return n\n\n\ndef run():\n    def inner():\n        pass\n    inner()\n",
    "src/main/java/shop/Cart.java": "package shop;\n\nclass Cart {\n  void put(int n) {\n  }\n}\n",
    "app/cart.rb": "class Cart\n  def drop\n  end\nend\n",
    "src/cart.rs": "pub struct Cart;\n\nimpl Cart {\n    pub fn push(&self) {}\n}\n",
    "src/fill.c": "int fill(int n) {\n  return n;\n}\n",
    "Cart.php": "<?php\nclass Basket {\n  function add() {\n  }\n}\n",
    "Shop.cs": "namespace Shop;\n\nclass Order {\n  public void Pay(int n) {\n  }\n}\n",
  }, "shop");

  it.each([
    ["    at Cart.add (/home/ann/shop/src/cart.ts:3:10)", "Method:src/cart.ts:Cart.add"],
    ["at /home/ann/shop/src/cart.ts:6:3", "Method:src/cart.ts:Cart.check"],
    ["  File \"/home/ann/shop/shop/cart.py\", line 3, in add", "Method:shop/cart.py:Cart.add"],
    ["\tat shop.Cart.put(Cart.java:4)", "Method:src/main/java/shop/Cart.java:Cart.put"],
    ["app/cart.rb:2:in 'Cart#drop'", "Method:app/cart.rb:Cart.drop"],
    ["app/cart.rb:2:in `drop'", "Method:app/cart.rb:Cart.drop"],
    ["3: cart::Cart::push", "Method:src/cart.rs:Cart.push"],
    ["#0 /home/ann/shop/Cart.php(3): Basket->add()", "Method:Cart.php:Basket.add"],
    ["   at Shop.Order.Pay(Int32 n) in C:\\work\\shop\\Shop.cs:line 4", "Method:Shop.cs:Order.Pay"],
    ["   at Shop.Order.Pay(Int32 n)", "Method:Shop.cs:Order.Pay"],
    ["   at Shop.Order.<Pay>b__0(Int32 n) in /src/Shop.cs:line 4", "Method:Shop.cs:Order.Pay"],
    ["   at Shop.Order.<Pay>d__3.MoveNext() in /src/Shop.cs:line 4", "Method:Shop.cs:Order.Pay"],
    ["\tat app//shop.Cart.put(Cart.java:4)", "Method:src/main/java/shop/Cart.java:Cart.put"],
    ["\tat shop.Cart.lambda$put$0(Cart.java:4)", "Method:src/main/java/shop/Cart.java:Cart.put"],
    ["\tat shop.Cart.put(Unknown Source)", "Method:src/main/java/shop/Cart.java:Cart.put"],
    ["add@http://localhost:5173/src/cart.ts?t=17:3:10", "Method:src/cart.ts:Cart.add"],
    ["    at Cart.add (webpack:///./src/cart.ts:3:10)", "Method:src/cart.ts:Cart.add"],
    ["shop/cart.py:3: in add", "Method:shop/cart.py:Cart.add"],
    ["shop/cart.py:3: AssertionError", "Method:shop/cart.py:Cart.add"],
    ["src/cart.ts(3,10): error TS2554: Expected 2 arguments", "Method:src/cart.ts:Cart.add"],
    ["src/cart.ts:3:10 - error", "Method:src/cart.ts:Cart.add"],
    ["  --> src/cart.rs:4:12", "Method:src/cart.rs:Cart.push"],
    ["thread 'main' panicked at src/cart.rs:4:12:", "Method:src/cart.rs:Cart.push"],
    ["4: cart::Cart::push::h0123456789abcdef", "Method:src/cart.rs:Cart.push"],
    ["5: <cart::Cart as shop::Add>::push", "Method:src/cart.rs:Cart.push"],
    ["<cart::Cart<T, R> as shop::Add<T>>::push::h0123456789abcdef", "Method:src/cart.rs:Cart.push"],
    ["PHP Fatal error:  Uncaught Error: no cart in /home/ann/shop/Cart.php:3", "Method:Cart.php:Basket.add"],
    ["  thrown in /home/ann/shop/Cart.php on line 3", "Method:Cart.php:Basket.add"],
    ["#3  0x00005555 in fill (n=1) at src/fill.c:2", "Function:src/fill.c:fill"],
    ["* frame #0: 0x0000000100003f54 a.out`fill(n=1) at fill.c:2:10", "Function:src/fill.c:fill"],
    ["    #1 0x4f52e1 in fill(int) /home/ann/shop/src/fill.c:2:3", "Function:src/fill.c:fill"],
    ["(anonymous namespace)::fill(int)", "Function:src/fill.c:fill"],
    ["src/fill.c:2:3: warning: unused variable", "Function:src/fill.c:fill"],
    ["app/cart.rb:2:in 'block in Cart#drop'", "Method:app/cart.rb:Cart.drop"],
    ["   at Shop.Order`1.Pay(Int32 n)", "Method:Shop.cs:Order.Pay"],
    ["src/cart.ts#L3", "Method:src/cart.ts:Cart.add"],
    ["src/cart.ts#L3-L4", "Method:src/cart.ts:Cart.add"],
    // In a container the repository is in another folder.
    ["    at Cart.add (/app/src/cart.ts:3:10)", "Method:src/cart.ts:Cart.add"],
    ["at Object.<anonymous> (/usr/src/app/src/cart.ts:6:3)", "Method:src/cart.ts:Cart.check"],
    ["File \"/code/shop/cart.py\", line 3, in add", "Method:shop/cart.py:Cart.add"],
    ["2: my_shop::cart::Cart::push", "Method:src/cart.rs:Cart.push"],
  ])("%s", (name, id) => {
    expect(idOf(codebase, name)).toBe(id);
  });
});

describe("a name with its modules", async () => {
  const codebase = await codebaseOf({
    "pkg/mod.py": "class Server:\n    class Inner:\n        def deep(self):\n            pass\n\n    def run(self):\n        pass\n\n\ndef helper():\n    pass\n",
    "App.java": "package com.ex;\nclass App {\n  static class Inner {\n    void deep() {}\n  }\n}\n",
    "app.cpp": "namespace ex {\nnamespace in {\nclass Cart {\n public:\n  void run(int x) const;\n};\nvoid Cart::run(int x) const {}\nint free_fn(int a) { return a; }\n}\n}\n",
    "lib.rs": "pub mod net {\n    pub struct Server;\n    impl Server {\n        pub fn run(&self) {}\n    }\n}\n",
    "src/App.php": "<?php\nnamespace Ex\\Core;\nclass Page {\n  public function run() {}\n}\nfunction helper() {}\n",
    "app.ts": "export namespace Ns {\n  export function inner(): void {}\n}\nexport class Box {}\n",
    "mux.go": "package mux\n\ntype Mux struct{}\n\nfunc (m *Mux) serve() {}\n",
  }, "shop");

  it.each([
    ["Server.Inner.deep", "Method:pkg/mod.py:Inner.deep"],
    ["com.ex.App$Inner.deep", "Method:App.java:Inner.deep"],
    ["pkg.mod:helper", "Function:pkg/mod.py:helper"],
    ["pkg/mod.py::Server::run", "Method:pkg/mod.py:Server.run"],
    ["net::Server::run", "Method:lib.rs:Server.run"],
    ["shop::net::Server::run", "Method:lib.rs:Server.run"],
    ["Ex\\Core\\Page@run", "Method:src/App.php:Page.run"],
    ["Ex\\Core\\helper", "Function:src/App.php:helper"],
    ["Ns.inner", "Function:app.ts:inner"],
    ["new Box", "Class:app.ts:Box"],
    ["*Mux.serve", "Method:mux.go:Mux.serve"],
    ["ex::in::free_fn(int)", "Function:app.cpp:free_fn"],
    ["void ex::in::Cart::run(int) const", "Method:app.cpp:Cart.run"],
  ])("%s", (name, id) => {
    expect(idOf(codebase, name)).toBe(id);
  });

  it("is none of ours where it stands in what is installed", () => {
    expect(() => idOf(codebase, "/app/node_modules/x/app.ts:2")).toThrow("Nothing here is called");
    expect(() => idOf(codebase, "/usr/local/go/src/mux.go:5 +0x1d")).toThrow("Nothing here is called");
  });
});
