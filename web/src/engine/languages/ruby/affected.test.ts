import { describe, expect, test } from "vitest";
import { extract } from "../../../../test/languages.ts";
import { anchored, Relations, type ParsedFile } from "../../relations.ts";
import { ruby } from "./index.ts";

type Texts = Record<string, string>;

/** Files written as `-- path --` and text. */
function filesOf(text: string): Texts {
  const [, ...parts] = text.split(/^ *-- (.+) --\n/m);
  return Object.fromEntries(parts.flatMap((path, i) => (i % 2 === 0 ? [[path, parts[i + 1]!]] : [])));
}

/** A folder of Ruby files that edits are applied to. */
class Folder {
  readonly relations = new Relations(ruby);
  private readonly files = new Map<string, ParsedFile>();

  static async of(texts: Texts): Promise<Folder> {
    const folder = new Folder();
    for (const path of Object.keys(texts).sort()) folder.files.set(path, anchored(path, await extract(ruby, path, texts[path]!)));
    folder.relations.update(...folder.all());
    return folder;
  }

  async edit(path: string, text: string): Promise<void> {
    this.files.set(path, anchored(path, await extract(ruby, path, text), this.files.get(path)));
    this.relations.update(...this.all(), { own: new Set([path]), paths: [], contents: [] });
  }

  private all(): [readonly ParsedFile[], ReadonlySet<string>, () => undefined] {
    return [[...this.files.values()], new Set(this.files.keys()), () => undefined];
  }

  words(): string[] {
    return [...this.files.keys()].flatMap((path) => this.relations.of(path).map(({ type, from, to, confidence, line, moreLines }) => (
      `${type} ${from.path}:${this.name(from)} -> ${to.path}:${this.name(to)} ${confidence} ${[line, ...(moreLines ?? [])].join(",")}`
    ))).sort();
  }

  private name({ path, symbol }: { path: string; symbol: number }): string {
    const { owner, name } = this.files.get(path)!.facts.symbols[symbol] ?? { name: "" };
    return owner === undefined ? name : `${owner}.${name}`;
  }
}

const SHAPES = `
-- base.rb --
class Base
  def draw; end
  def size; end
end
-- circle.rb --
class Circle < Base
  def turn; end
end
-- square.rb --
class Square < Base
  def flip; end
end
`;

describe("after an edit relations are those of an index from the start, and these files alone were resolved", () => {
  test.each<[title: string, files: string, path: string, from: string, to: string, redone: string]>([
    ["a body", `${SHAPES}
-- make.rb --
def make
  1
  Circle.new
end
-- use.rb --
make.turn
`, "make.rb", "  1\n", "  Square.new.flip\n", "make.rb"],
    ["another result", `${SHAPES}
-- far.rb --
def far
  make
end
-- make.rb --
def make
  Circle.new
end
-- other.rb --
Circle.new.turn
-- use.rb --
x = far
x.flip
x.turn
`, "make.rb", "Circle", "Square", "far.rb make.rb use.rb"],
    ["a method more: a call that found one above finds it", `${SHAPES}
-- use.rb --
Circle.new.draw
`, "circle.rb", "  def turn", "  def draw; end\n  def turn", "circle.rb use.rb"],
    ["a method less: a call finds the one above", `${SHAPES}
-- round.rb --
class Round < Circle
  def draw; end
end
-- use.rb --
Round.new.draw
`, "round.rb", "  def draw; end\n", "", "round.rb use.rb"],
    ["a second method of the name: what the name alone spoke for is not guessed", `${SHAPES}
-- use.rb --
def use(x)
  x.turn
end
`, "square.rb", "  def flip", "  def turn; end\n  def flip", "square.rb use.rb"],
    ["a function of another file gets another name", `${SHAPES}
-- make.rb --
def make
  Circle.new
end
-- use.rb --
make.turn
`, "make.rb", "def make", "def build", "make.rb use.rb"],
    ["another argument: the parameter is something else", `${SHAPES}
-- run.rb --
class Run
  def run(shape)
    shape.turn
  end
end
-- use.rb --
Run.new.run(Circle.new)
`, "use.rb", "Circle", "Square", "run.rb use.rb"],
    ["a call less: so is the parameter", `${SHAPES}
-- more.rb --
Run.new.run(Square.new)
-- run.rb --
class Run
  def run(shape)
    shape.turn
    shape.flip
  end
end
-- use.rb --
Run.new.run(Circle.new)
`, "more.rb", "Run.new.run(Square.new)", "Square", "more.rb run.rb"],
    ["an argument that leads on, in the next round", `${SHAPES}
-- run.rb --
class Run
  def run(shape)
    Step.new.step(shape)
  end
end
-- step.rb --
class Step
  def step(shape)
    shape.turn
  end
end
-- use.rb --
Run.new.run(Circle.new)
`, "use.rb", "Circle", "Square", "step.rb use.rb"],
    ["a parameter more: what was passed goes to another one", `${SHAPES}
-- run.rb --
class Run
  def run(shape)
    @shape = shape
  end
end
-- see.rb --
class Run
  def see
    @shape.turn
  end
end
-- use.rb --
Run.new.run(Circle.new)
`, "run.rb", "run(shape)", "run(more, shape)", "run.rb see.rb use.rb"],
    ["a parameter has another name: what is passed by name goes nowhere", `${SHAPES}
-- run.rb --
class Run
  def run(shape:)
    shape.turn
  end
end
-- use.rb --
Run.new.run(shape: Circle.new)
`, "run.rb", "(shape:)", "(form:)", "run.rb"],
    ["a variable is given something else", `${SHAPES}
-- a.rb --
class Run
  def set
    @shape = Circle.new
  end
end
-- b.rb --
class Run
  def see
    @shape.turn
    @shape.flip
  end
end
`, "a.rb", "Circle", "Square", "a.rb b.rb"],
    ["a variable is given something where it was not", `${SHAPES}
-- a.rb --
class Run
  def set
    1
  end
end
-- b.rb --
class Run
  def see
    @shape.turn
  end
end
`, "a.rb", "    1\n", "    @shape = Circle.new\n", "a.rb b.rb"],
    ["a global is given something else", `${SHAPES}
-- a.rb --
$shape = Circle.new
-- b.rb --
$shape.turn
`, "a.rb", "Circle.new", "Square.new", "a.rb b.rb"],
    ["a constant is given something else", `${SHAPES}
-- a.rb --
SHAPE = Circle.new
-- b.rb --
SHAPE.turn
`, "a.rb", "Circle.new", "Square.new", "a.rb b.rb"],
    ["a constant is given another local", `${SHAPES}
-- a.rb --
x = Circle.new
y = Square.new
SHAPE = x
-- b.rb --
SHAPE.turn
`, "a.rb", "= x", "= y", "a.rb b.rb"],
    ["a constructor comes: it is what new runs", `${SHAPES}
-- use.rb --
Circle.new
`, "circle.rb", "  def turn", "  def initialize; end\n  def turn", "circle.rb use.rb"],
    ["a constructor comes: it is what raise runs", `
-- problem.rb --
class Problem < StandardError
  def why; end
end
-- use.rb --
def use
  raise Problem
end
`, "problem.rb", "  def why", "  def initialize; end\n  def why", "problem.rb use.rb"],
    ["something else is raised, by a constant", `${SHAPES}
-- a.rb --
KIND = Circle
-- b.rb --
def use
  raise KIND
end
`, "a.rb", "= Circle", "= Square", "a.rb b.rb"],
    ["a method comes between one and what it calls by super", `${SHAPES}
-- round.rb --
class Round < Circle
  def size
    super
  end
end
`, "circle.rb", "  def turn", "  def size; end\n  def turn", "circle.rb round.rb"],
    ["something else is yielded", `${SHAPES}
-- each.rb --
class All
  def all
    yield Circle.new
  end
end
-- use.rb --
All.new.all { |x| x.turn }
`, "each.rb", "Circle", "Square", "each.rb use.rb"],
    ["something more is yielded", `${SHAPES}
-- each.rb --
class All
  def all
    1
  end
end
-- use.rb --
All.new.all { |x| x.turn }
`, "each.rb", "    1", "    yield Circle.new", "each.rb use.rb"],
    ["a method is there to be overridden", `
-- base.rb --
class Base
  def draw
    while x
    end
  end
end
-- circle.rb --
class Circle < Base
  def draw; end
end
-- use.rb --
Base.new.draw
`, "base.rb", "    while x\n    end\n", "", "base.rb use.rb"],
    ["the line that includes a module into another file's class", `
-- a.rb --
class A
end
-- m.rb --
module M
end
-- z.rb --
A.include M
`, "z.rb", "A.include", "\nA.include", "a.rb z.rb"],
    ["the forty-first caller tells of a parameter when one before it does not any more", `${SHAPES}
${Array.from({ length: 41 }, (_, i) => `-- call${String(i).padStart(2, "0")}.rb --\nRun.new.run(${i === 40 ? "Circle" : "Square"}.new)\n`).join("")}
-- run.rb --
class Run
  def run(shape)
    shape.turn
    1
  end
end
`, "call00.rb", "Run.new.run(Square.new)", "Square.new", "call00.rb run.rb"],
    ["another local is what a method gives", `${SHAPES}
-- make.rb --
def make
  x = Circle.new
  y = Square.new
  x
end
-- use.rb --
make.turn
`, "make.rb", "  x\n", "  y\n", "make.rb use.rb"],
    ["a comment tells what a method gives", `${SHAPES}
-- make.rb --
def make
  thing
end
-- use.rb --
make.turn
`, "make.rb", "def make", "# @return [Circle]\ndef make", "make.rb use.rb"],
    ["another local is passed", `${SHAPES}
-- run.rb --
class Run
  def run(shape)
    shape.turn
    1
  end
end
-- use.rb --
x = Circle.new
y = Square.new
Run.new.run(x)
`, "use.rb", "(x)", "(y)", "run.rb use.rb"],
    ["a method of objects is the class's own", `
-- circle.rb --
class Circle
  def turn; end

  def go
    turn
    1
  end
end
`, "circle.rb", "def go", "def self.go", "circle.rb"],
    ["a value of examples is a method", `
-- spec/a_spec.rb --
describe "a" do
  let(:made) { }

  it "is made" do
    made
  end
end
`, "spec/a_spec.rb", "let(:made) { }", "def made; end", "spec/a_spec.rb"],
    ["another local is yielded", `${SHAPES}
-- each.rb --
class All
  def all
    x = Circle.new
    y = Square.new
    yield x
    1
  end
end
-- use.rb --
All.new.all { |one| one.turn }
`, "each.rb", "yield x", "yield y", "each.rb use.rb"],
    ["another local is given to a variable", `${SHAPES}
-- a.rb --
class Run
  def set
    x = Circle.new
    y = Square.new
    @shape = x
    1
  end
end
-- b.rb --
class Run
  def see
    @shape.turn
  end
end
`, "a.rb", "= x", "= y", "a.rb b.rb"],
    ["a parameter has a default", `${SHAPES}
-- run.rb --
class Run
  def run(shape)
    @shape = shape
    1
  end
end
-- see.rb --
class Run
  def see
    @shape.flip
    @shape.turn
  end
end
-- use.rb --
Run.new.run(Circle.new)
`, "run.rb", "run(shape)", "run(shape = Square.new)", "run.rb see.rb"],
    ["a comment tells what a parameter is", `${SHAPES}
-- run.rb --
class Run
  def run(shape)
    shape.turn
    1
  end
end
-- use.rb --
Run.new.run(1)
`, "run.rb", "  def run", "  # @param shape [Circle]\n  def run", "run.rb"],
    ["a parameter takes all arguments", `${SHAPES}
-- run.rb --
class Run
  def run(shape)
    shape.turn
    1
  end
end
-- use.rb --
Run.new.run(Circle.new)
`, "run.rb", "run(shape)", "run(*shape)", "run.rb"],
    ["a parameter has another name, and so has what reads it", `${SHAPES}
-- run.rb --
class Run
  def run(shape:)
    shape.turn
    1
  end
end
-- use.rb --
Run.new.run(shape: Circle.new)
`, "run.rb", "(shape:)\n    shape", "(form:)\n    form", "run.rb"],
    ["a call of an unchanged file passes the same to another method", `${SHAPES}
-- make.rb --
def make
  First.new
end
-- run.rb --
class First
  def run(shape)
    shape.turn
    1
  end
end
class Second
  def run(shape)
    shape.turn
    1
  end
end
-- use.rb --
make.run(Circle.new)
`, "make.rb", "First", "Second", "make.rb run.rb use.rb"],
    ["a constant stands elsewhere", `${SHAPES}
-- a.rb --
def a
  1
end
SHAPE = Circle.new
`, "a.rb", "  1\n", "  [1, 2, one(3, 4), SHAPE.turn]\n", "a.rb"],
    ["a method of an object that is named gives something else", `${SHAPES}
-- a.rb --
def Circle.make
  Circle.new
end
-- use.rb --
Circle.make.turn
`, "a.rb", "  Circle.new", "  Square.new", "a.rb use.rb"],
    ["a class stands in another line", SHAPES, "circle.rb", "class", "\nclass", "circle.rb"],
    ["what is raised is passed from elsewhere", `${SHAPES}
-- run.rb --
class Run
  def stop(kind)
    raise kind
    1
  end
end
-- use.rb --
Run.new.stop(Circle)
`, "use.rb", "(Circle)", "(Square)", "run.rb use.rb"],
    ["what the first of several files puts into a variable", `${SHAPES}
-- a.rb --
class Run
  def a
    @all = [1]
  end
end
-- b.rb --
class Run
  def b
    @all = [Square.new]
  end
end
-- c.rb --
class Run
  def see
    @all.first.turn
    @all.first.flip
  end
end
`, "a.rb", "[1]", "[Circle.new]", "a.rb c.rb"],
    ["two methods that call each other, and another one asks first for what leads there", `${SHAPES}
-- a.rb --
def a
  1
end
-- b.rb --
def use
  aft.flip
end
-- c.rb --
def fore
  return aft if x
  Circle.new
end
-- d.rb --
def aft
  return fore if x
  Square.new
end
-- e.rb --
def far
  way
end
def way
  fore
end
far.flip
far.turn
`, "a.rb", "  1\n", "  far.flip\n  1\n", "a.rb b.rb c.rb d.rb e.rb"],
    ["two methods that call each other, and another one asks first", `${SHAPES}
-- a.rb --
def a
  1
end
-- b.rb --
def use
  fore.turn
end
-- c.rb --
def fore
  return aft if x
  Circle.new
end
-- d.rb --
def aft
  return fore if x
  Square.new
end
-- e.rb --
aft.flip
fore.flip
`, "a.rb", "  1\n", "  aft.flip\n  1\n", "a.rb b.rb c.rb d.rb e.rb"],
    ["two methods that call each other, and who asked first does not", `${SHAPES}
-- a.rb --
def a
  aft.flip
  1
end
-- b.rb --
def use
  fore.turn
end
-- c.rb --
def fore
  return aft if x
  Circle.new
end
-- d.rb --
def aft
  return fore if x
  Square.new
end
-- e.rb --
aft.flip
fore.flip
`, "a.rb", "  aft.flip\n", "", "a.rb b.rb c.rb d.rb e.rb"],
    ["a method elsewhere has the name of one of two that call each other, which answer what they did", `${SHAPES}
-- c.rb --
def fore
  return aft if x
  Circle.new
end
-- d.rb --
def aft
  return fore if x
  Square.new
end
-- e.rb --
aft.flip
fore.turn
`, "circle.rb", "  def turn", "  def aft; end\n  def turn", "circle.rb"],
    ["one of two methods that call each other gives something else", `${SHAPES}
-- c.rb --
def fore
  return aft if x
  Circle.new
end
-- d.rb --
def aft
  return fore if x
  made
end
-- e.rb --
aft.flip
fore.flip
-- made.rb --
def made
  Square.new
end
`, "made.rb", "Square", "Base", "c.rb d.rb e.rb made.rb"],
    ["two methods call each other now", `${SHAPES}
-- a.rb --
aft.turn
aft.flip
-- c.rb --
def fore
  return aft if x
  Circle.new
end
-- d.rb --
def aft
  next_one if x
  Square.new
end
-- e.rb --
fore.flip
fore.turn
`, "d.rb", "  next_one if x\n", "  return fore if x\n", "a.rb c.rb d.rb e.rb"],
    ["what led to two methods that call each other leads there no more", `${SHAPES}
-- a.rb --
mid.flip
-- b.rb --
def use
  fore.turn
end
-- c.rb --
def fore
  return aft if x
  Circle.new
end
-- d.rb --
def aft
  return fore if x
  Square.new
end
-- e.rb --
fore.flip
aft.flip
-- mid.rb --
def mid
  aft
end
`, "mid.rb", "  aft\n", "  Square.new\n", "a.rb b.rb c.rb d.rb e.rb mid.rb"],
    ["what a method gives is the same by another way: nobody else is concerned", `${SHAPES}
-- far.rb --
def far
  make
end
-- make.rb --
def make
  Circle.new
end
-- use.rb --
far.turn
`, "make.rb", "  Circle.new", "  one = Circle.new\n  one", "make.rb"],
    ["a method takes something now, where it took nothing", `${SHAPES}
-- run.rb --
class Run
  def run
    @shape = 1
    1
  end
end
-- see.rb --
class Run
  def see
    @shape.turn
  end
end
-- use.rb --
Run.new.run(Circle.new)
`, "run.rb", "def run\n    @shape = 1", "def run(shape)\n    @shape = shape", "run.rb see.rb"],
    ["something else is yielded, by what is made with a block", `${SHAPES}
-- each.rb --
class All
  def initialize
    x = Circle.new
    y = Square.new
    yield x
    1
  end
end
-- use.rb --
All.new { |one| one.turn }
`, "each.rb", "yield x", "yield y", "each.rb use.rb"],
    ["a test asks first for what tests give a variable", `${SHAPES}
-- run.rb --
class Run
  def set
    @shape = Circle.new
  end
end
-- test/a_test.rb --
class Run
  def a
    1
  end
end
-- test/b_test.rb --
class Run
  def b
    @shape = Square.new
  end
end
-- use.rb --
class Run
  def see
    @shape.turn
  end
end
`, "test/a_test.rb", "    1\n", "    @shape.flip\n", "test/a_test.rb use.rb"],
  ])("%s", async (_, files, path, from, to, redone) => {
    const texts = filesOf(files);
    const folder = await Folder.of(texts);
    const before = folder.words();
    expect(texts[path]).toContain(from);
    await folder.edit(path, texts[path]!.replace(from, to));
    expect(folder.words()).toEqual((await Folder.of({ ...texts, [path]: texts[path]!.replace(from, to) })).words());
    expect([...folder.relations.redonePaths ?? ["all"]].sort().join(" ")).toBe(redone);
    await folder.edit(path, texts[path]!);
    expect(folder.words()).toEqual(before);
  });
});

describe("after an edit of what everything may rest on all files were resolved", () => {
  test.each<[title: string, files: string, path: string, from: string, to: string]>([
    ["another superclass", `${SHAPES}
-- use.rb --
Circle.new.draw
`, "circle.rb", "Circle < Base", "Circle < Other"],
    ["another class is reopened", `${SHAPES}
-- a.rb --
Circle.class_eval do
  def more; end
end
-- use.rb --
Circle.new.more
`, "a.rb", "Circle", "Square"],
    ["a class is a module", `
-- circle.rb --
class Circle
end
-- use.rb --
Circle.new
`, "circle.rb", "class", "module"],
    ["a class stands in another module", `
-- a.rb --
module A
  module B
  end
  class C
  end
end
-- use.rb --
A::C.new
`, "a.rb", "  end\n  class C\n  end\n", "  class C\n  end\n  end\n"],
    ["another class of the file includes a module", `
-- a.rb --
class A
  include ::M
end
class B
end
-- m.rb --
module M
  def m; end
end
-- use.rb --
A.new.m
`, "a.rb", "  include ::M\nend\nclass B\n", "end\nclass B\n  include ::M\n"],
    ["a class more", `${SHAPES}
-- use.rb --
Other.new.turn
`, "base.rb", "class Base", "class Other\n  def turn; end\nend\nclass Base"],
    ["another module is included", `
-- a.rb --
module A
  def a; end
end
module B
end
-- c.rb --
class C
  include A
end
-- use.rb --
C.new.a
`, "c.rb", "include A", "include B"],
    ["a module is mixed in otherwise", `
-- a.rb --
module A
  def a; end
end
-- c.rb --
class C
  include A
end
-- use.rb --
C.new.a
`, "c.rb", "include A", "extend A"],
    ["a module is mixed into another class", `
-- a.rb --
module A
  def a; end
end
class B
end
class C
end
-- c.rb --
C.include A
-- use.rb --
C.new.a
`, "c.rb", "C.include", "B.include"],
    ["a constant has another name", `${SHAPES}
-- a.rb --
SHAPE = Circle.new
-- use.rb --
SHAPE.turn
`, "a.rb", "SHAPE", "FORM"],
    ["a constant is given something where it was given nothing", `${SHAPES}
-- a.rb --
OTHER = begin; end
-- use.rb --
OTHER.turn
`, "a.rb", "begin; end", "begin; Circle.new; end"],
    ["a method of another object", `${SHAPES}
-- a.rb --
def Circle.make
end
-- use.rb --
Circle.make
`, "a.rb", "def Circle", "def Square"],
    ["a gem's files are loaded by their names", `
-- lib/gem.rb --
module Gem
end
-- lib/gem/part.rb --
module Gem
  class Part
  end
end
-- use.rb --
Gem::Part
`, "lib/gem.rb", "module Gem", "Zeitwerk::Loader.for_gem.setup\nmodule Gem"],
    ["what a module is included by calls a method that gives another one", `
-- a.rb --
module A
  def one; end
end
module B
  def one; end
end
-- made.rb --
def made
  A
end
-- kept.rb --
KEPT = made
class C
  include KEPT
end
-- use.rb --
C.new.one
`, "made.rb", "  A\n", "  B\n"],
    ["more depends on each other than is followed", `${SHAPES}
-- a.rb --
def a
  1
end
-- b.rb --
${Array.from({ length: 450 }, (_, i) => `def step${i}\n  ${i < 449 ? `step${i + 1}` : "Circle.new"}\nend\n`).join("")}step0.turn
step300.turn
`, "a.rb", "  1\n", "  step300.turn\n"],
    ["modules include each other", `
-- a.rb --
def a
  1
end
-- b.rb --
module B
  include C
  def go; end
end
-- c.rb --
module C
  include B
  def go; end
end
module D
  include B
end
-- use.rb --
class One
  include B
  def one
    go
  end
end
class Two
  include C
  def two
    go
  end
end
`, "a.rb", "  1\n", "  Two.new.go\n  1\n"],
    ["a module hands methods on to those who include it", `
-- a.rb --
module A
  class_methods do
    def one; end
  end
end
-- c.rb --
class C
  include A
end
-- use.rb --
C.one
`, "a.rb", "class_methods do", "included do"],
  ])("%s", async (_, files, path, from, to) => {
    const texts = filesOf(files);
    const folder = await Folder.of(texts);
    const before = folder.words();
    expect(texts[path]).toContain(from);
    await folder.edit(path, texts[path]!.replace(from, to));
    const now = folder.words();
    expect(now).toEqual((await Folder.of({ ...texts, [path]: texts[path]!.replace(from, to) })).words());
    expect(now).not.toEqual(before);
    expect(folder.relations.redonePaths).toBeUndefined();
  });
});
