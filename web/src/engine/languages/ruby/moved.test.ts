import { describe, test } from "vitest";
import { expectMoved, expectSteps, SHAPES } from "../../../../test/ruby-folder.ts";

describe("without a file, and when it comes back, relations are those of an index from the start, and these files alone were resolved", () => {
  test.each<[title: string, files: string, path: string, redone: string]>([
    ["functions", `${SHAPES}
-- a.rb --
def make
  Circle.new
end
-- b.rb --
make.turn
-- c.rb --
Circle.new
`, "a.rb", "b.rb / a.rb b.rb"],
    ["a class that nobody else names", `${SHAPES}
-- a.rb --
class A < Base
  def initialize(shape)
    shape.flip
    draw
  end
end
-- b.rb --
Circle.new.draw
-- c.rb --
A
`, "a.rb", "a.rb c.rb / a.rb c.rb"],
    ["the only code of a file that passes something", `${SHAPES}
-- a.rb --
Run.new.run(Circle.new)
-- run.rb --
class Run
  def run(shape)
    shape.turn
  end
end
`, "a.rb", "run.rb / a.rb run.rb"],
    ["what gives a variable something", `${SHAPES}
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
  end
end
`, "a.rb", "b.rb / a.rb b.rb"],
    ["one of two files with variables of their own", `${SHAPES}
-- a.rb --
@shape = Square.new
@shape.flip
-- b.rb --
@shape = Circle.new
@shape.turn
-- c.rb --
@shape.turn
`, "a.rb", " / a.rb"],
    ["a file in front of two methods that call each other", `${SHAPES}
-- a.rb --
Circle.new
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
fore.flip
fore.turn
`, "a.rb", " / a.rb"],
    ["the file that leads first to two methods that call each other", `${SHAPES}
-- a.rb --
fore.flip
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
fore.flip
fore.turn
`, "a.rb", "b.rb c.rb d.rb e.rb / a.rb b.rb c.rb d.rb e.rb"],
    ["a file that comes to a circle before those after it, where one has come in front of all", `${SHAPES}
-- a.rb --
Circle.new
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
fore.flip
`, "d.rb", "c.rb e.rb / c.rb d.rb e.rb"],
    ["what is required, and required by half of its path", `
-- lib/a/part.rb --
PART = 1
-- lib/b.rb --
require "a/part"
require_relative "a/part"
-- other/lib/a/part.rb --
PART = 2
`, "lib/a/part.rb", "lib/b.rb / lib/a/part.rb lib/b.rb"],
    ["another file of the path", `
-- lib/a/part.rb --
PART = 1
-- lib/b.rb --
require "a/part"
-- other/lib/a/part.rb --
PART = 2
`, "other/lib/a/part.rb", "lib/b.rb / lib/b.rb other/lib/a/part.rb"],
    ["where a class stands that others reopen", `
-- a.rb --
class Circle
  def a; end
end
-- circle.rb --
class Circle < Shape
end
-- shape.rb --
class Shape
end
-- use.rb --
Circle.new
`, "circle.rb", "circle.rb use.rb / circle.rb use.rb"],
    ["a gem's loader: all files", `
-- lib/gem.rb --
Zeitwerk::Loader.for_gem.setup
module Gem
end
-- lib/gem/part.rb --
module Gem
  class Part
  end
end
-- use.rb --
Gem::Part
`, "lib/gem.rb", "all / all"],
    ["a module that a class of another file is called after: all files", `
-- a.rb --
module A
end
module Inner
  module A
  end
end
-- b.rb --
module Inner
  class A::B
    def b; end
  end
end
-- use.rb --
A::B.new.b
A
Inner::A::B.new.b
`, "a.rb", "all / all"],
    ["a class that is a module elsewhere: all files", `
-- a.rb --
class A
end
-- b.rb --
module A
  def self.a; end
end
-- use.rb --
A.new
A.a
`, "a.rb", "all / all"],
    ["a file that includes a module", `
-- a.rb --
include M
-- m.rb --
module M
  def one; end
end
-- use.rb --
one
`, "a.rb", "use.rb / a.rb use.rb"],
    ["a file that includes a module of another code base", `
-- a.rb --
include FileUtils
one
-- b.rb --
def one
end
`, "a.rb", " / a.rb"],
    ["a file that includes what is not known: all files", `
-- a.rb --
include MIXED
-- b.rb --
MIXED = M
-- m.rb --
module M
  def one; end
end
-- use.rb --
one
`, "a.rb", "all / all"],
    ["a class that includes another class, in which super goes on here", `
-- base.rb --
class Base
  def size; end
end
-- d.rb --
class D < Base
  include M
end
-- m.rb --
class M
  def size
    super
  end
end
`, "d.rb", "d.rb m.rb / d.rb m.rb"],
    ["where a class stands that is loaded by its name", `
-- app/models/circle.rb --
class Circle
end
-- other.rb --
class Circle
  def a; end
end
-- use.rb --
x = Circle
`, "app/models/circle.rb", "use.rb / app/models/circle.rb use.rb"],
    ["where a class stands whose class method makes one", `
-- circle.rb --
class Circle
end
-- other.rb --
class Circle
  def self.make
    new
  end
end
-- use.rb --
x = 1
`, "circle.rb", "other.rb / circle.rb other.rb"],
    ["the first of two files that say what a constant is", `${SHAPES}
-- a.rb --
SHAPE = Circle.new
-- b.rb --
SHAPE = Square.new
-- use.rb --
SHAPE.turn
SHAPE.flip
`, "a.rb", "use.rb / a.rb use.rb"],
    ["a method that a class in another file names", `
-- c.rb --
class C
  before_action :halted
end
-- d.rb --
class C
  def halted; end
end
-- e.rb --
[C.new].each(&:halted)
`, "d.rb", "c.rb e.rb / c.rb d.rb e.rb"],
  ])("%s", (_, files, path, redone) => expectMoved(files, path, redone));
});

test("files that come in front of those that lead to a circle, and then one of those between leads there", async () => {
  await expectSteps(`${SHAPES}
-- b.rb --
1
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
fore.turn
aft.flip
aft.turn
`, [["a1.rb", "1\n"], ["a2.rb", "2\n"], ["a3.rb", "3\n"], ["a4.rb", "4\n"], ["a5.rb", "5\n"], ["a6.rb", "6\n"], ["a7.rb", "7\n"], ["b.rb", "fore.turn\n"], ["a1.rb", undefined], ["a2.rb", undefined], ["b.rb", "1\n"], ["a3.rb", "fore.turn\n"]]);
});
