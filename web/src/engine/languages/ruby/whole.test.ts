import { describe, test } from "vitest";
import { type Edit, expectWhole, SHAPES } from "../../../../test/ruby-folder.ts";

describe("after an edit of what everything may rest on all files were resolved", () => {
  test.each<Edit>([
    ["another superclass", `${SHAPES}
-- use.rb --
Circle.new.draw
`, "circle.rb", "Circle < Base", "Circle < Other"],
    ["a superclass less", `${SHAPES}
-- use.rb --
Circle.new.draw
`, "circle.rb", " < Base", ""],
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
    ["a constant is given another local", `${SHAPES}
-- a.rb --
x = Circle.new
y = Square.new
SHAPE = x
-- b.rb --
SHAPE.turn
`, "a.rb", "= x", "= y"],
    ["a constant by which a class includes a module is given another local", `
-- a.rb --
module A
  def a; end
end
module B
end
-- c.rb --
class C
  include MIXED
end
-- mixed.rb --
x = A
y = B
MIXED = x
-- use.rb --
C.new.a
`, "mixed.rb", "= x", "= y"],
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
  ])("%s", expectWhole);
});
