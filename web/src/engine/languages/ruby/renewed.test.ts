import { describe, test } from "vitest";
import { type Edit, expectInPart, SHAPES } from "../../../../test/ruby-folder.ts";

describe("after an edit of classes, mixins or constants relations are those of an index from the start, and these files alone were resolved", () => {
  test.each<[...Edit, redone: string]>([
    ["another superclass", `${SHAPES}
-- use.rb --
Circle.new.draw
`, "circle.rb", "Circle < Base", "Circle < Other", "circle.rb use.rb"],
    ["a superclass less", `${SHAPES}
-- use.rb --
Circle.new.draw
`, "circle.rb", " < Base", "", "circle.rb use.rb"],
    ["another class is reopened", `${SHAPES}
-- a.rb --
Circle.class_eval do
  def more; end
end
-- use.rb --
Circle.new.more
`, "a.rb", "Circle", "Square", "a.rb use.rb"],
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
`, "a.rb", "  end\n  class C\n  end\n", "  class C\n  end\n  end\n", "a.rb use.rb"],
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
`, "a.rb", "  include ::M\nend\nclass B\n", "end\nclass B\n  include ::M\n", "a.rb use.rb"],
    ["a class more", `${SHAPES}
-- use.rb --
Other.new.turn
`, "base.rb", "class Base", "class Other\n  def turn; end\nend\nclass Base", "base.rb use.rb"],
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
`, "c.rb", "include A", "include B", "c.rb use.rb"],
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
`, "c.rb", "include A", "extend A", "c.rb use.rb"],
    ["what a module's method calls is the class's that it extends", `
-- a.rb --
module A
  def a
    b
  end
end
-- c.rb --
class C
  include A
  def self.b; end
end
`, "c.rb", "include A", "extend A", "a.rb c.rb"],
    ["a class is one of lists no more", `
-- item.rb --
class Item
  def draw; end
end
class Other
  def draw; end
end
-- list.rb --
class Items < Array
end
-- page.rb --
class Page
  def initialize
    @items = Items.new
    @items << Item.new
  end

  def show
    @items.each { |item| item.draw }
  end
end
`, "list.rb", "Array", "Object", "list.rb page.rb"],
    ["what `super` in `new` makes is made otherwise", `
-- a.rb --
class A
  def self.new
    super
  end
end
-- b.rb --
class B < A
end
-- c.rb --
class X
  def initialize; end
end
`, "c.rb", "class X", "class B", "a.rb c.rb"],
    ["a hook that extends classes includes another module in them", `
-- a.rb --
module A
  def self.included(base)
    base.include Objects
    base.extend One
  end
end
module Objects
  def show
    self.class.label
  end
end
module Others
end
-- b.rb --
module One
  def label; end
end
`, "a.rb", "include Objects", "include Others", "a.rb"],
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
`, "c.rb", "C.include", "B.include", "a.rb c.rb use.rb"],
    ["a constant has another name", `${SHAPES}
-- a.rb --
SHAPE = Circle.new
-- use.rb --
SHAPE.turn
`, "a.rb", "SHAPE", "FORM", "a.rb use.rb"],
    ["a constant is given something where it was given nothing", `${SHAPES}
-- a.rb --
OTHER = begin; end
-- use.rb --
OTHER.turn
`, "a.rb", "begin; end", "begin; Circle.new; end", "a.rb use.rb"],
    ["a constant is given another local", `${SHAPES}
-- a.rb --
x = Circle.new
y = Square.new
SHAPE = x
-- b.rb --
SHAPE.turn
`, "a.rb", "= x", "= y", "a.rb b.rb"],
    ["a method of another object", `${SHAPES}
-- a.rb --
def Circle.make
end
-- use.rb --
Circle.make
`, "a.rb", "def Circle", "def Square", "a.rb use.rb"],
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
`, "a.rb", "class_methods do", "included do", "a.rb use.rb"],
    ["a constant of the module that is included: a name means it in what includes it", `
-- a.rb --
module A
  KIND = Circle.new
end
-- b.rb --
module B
end
-- c.rb --
class C
  include B
  def c
    KIND.turn
  end
end
-- circle.rb --
class Circle
  def turn; end
end
`, "c.rb", "include B", "include A", "c.rb"],
    ["a constant of a module that comes between: code in another file means it", `
-- b.rb --
module B
end
-- c.rb --
class C
  include B
end
-- d.rb --
class D < C
  def d
    KIND.turn
    C::KIND.turn
  end
end
-- kinds.rb --
module Kinds
  KIND = Circle.new
end
class Circle
  def turn; end
end
`, "c.rb", "include B", "include Kinds", "c.rb d.rb"],
    ["a variable that what is inherited now is given", `${SHAPES}
-- a.rb --
class A
  def set
    @shape = Circle.new
  end
end
-- b.rb --
class B < Other
end
-- c.rb --
class C < B
  def see
    @shape.turn
  end
end
`, "b.rb", "Other", "A", "b.rb c.rb"],
    ["a class below less: the constructor that it inherits gets what that one is made with no more", `${SHAPES}
-- a.rb --
class A
  def initialize(shape)
    @shape = shape
  end
  def see
    @shape.turn
  end
end
-- b.rb --
class B < A
end
-- use.rb --
B.new(Circle.new)
`, "b.rb", " < A", "", "a.rb b.rb use.rb"],
    ["super in a module goes on in a class that includes it now", `${SHAPES}
-- a.rb --
module A
  def size
    super
  end
end
-- b.rb --
class B < Base
end
`, "b.rb", "class B < Base", "class B < Base\n  include A", "a.rb b.rb"],
    ["a class below declares what an abstract one's object is asked for", `${SHAPES}
-- a.rb --
class A
  def go
    halted
  end
end
-- b.rb --
class B
  def halted; end
end
-- c.rb --
class C
  def halted; end
end
`, "b.rb", "class B", "class B < A", "a.rb b.rb"],
    ["a module's method calls what a user of it inherits", `${SHAPES}
-- a.rb --
module A
  def go
    size
    draw
  end
end
-- b.rb --
class B < Base
end
-- use.rb --
class Size
  def size; end
  def draw; end
end
`, "b.rb", "class B < Base", "class B < Base\n  include A", "a.rb b.rb"],
    ["something of another code base above: what is not found is not guessed", `
-- a.rb --
class A
  def go
    turned(1)
  end
end
-- b.rb --
class B
  def turned(x); end
end
`, "a.rb", "class A", "class A < Outside", "a.rb"],
    ["something of another code base above a base: what an heir in another file has not is not guessed", `
-- a.rb --
class A
end
-- b.rb --
class B < A
  def go
    turned(1)
  end
end
-- c.rb --
class C
  def turned(x); end
end
`, "a.rb", "class A", "class A < Outside", "a.rb b.rb"],
    ["something of another code base above: its class methods give its objects", `
-- a.rb --
class A
  def turned; end
end
-- use.rb --
A.find(1).turned
A.where(1).first.turned
A.all.map(&:turned)
[A].map(&:last).first.turned
`, "a.rb", "class A", "class A < Outside", "a.rb use.rb"],
    ["a module has another ClassMethods", `
-- a.rb --
module A
  module ClassMethods
    def one; end
  end
  def two
    self.class.one
  end
end
-- use.rb --
class C
  include A
end
C.one
`, "a.rb", "module ClassMethods", "module Others", "a.rb use.rb"],
    ["a hook gives another module", `
-- a.rb --
module A
  def self.included(base)
    base.extend(One)
  end
  module One
    def one; end
  end
  module Two
    def one; end
  end
  def go
    self.class.one
  end
end
-- use.rb --
class C
  include A
end
C.one
`, "a.rb", "extend(One)", "extend(Two)", "a.rb use.rb"],
    ["a file includes another module", `
-- a.rb --
module A
  def one; end
end
module B
  def one; end
end
-- run.rb --
include A
-- use.rb --
one
`, "run.rb", "include A", "include B", "run.rb use.rb"],
    ["a class of Ruby's own includes a module", `
-- a.rb --
module A
  def one; end
end
-- core.rb --
class Comparable
end
class String
end
-- use.rb --
"a".one
`, "core.rb", "class String\n", "class String\n  include A\n", "core.rb use.rb"],
    ["a class of Ruby's own comes that includes a module", `
-- a.rb --
module A
  def one; end
end
-- core.rb --
class Strings
  include A
end
-- use.rb --
"a".one
nil.one
`, "core.rb", "class Strings", "class NilClass", "core.rb use.rb"],
    ["a class that is made stands elsewhere", `
-- x.rb --
class A
end
-- b.rb --
class B
end
-- use.rb --
A.new
`, "b.rb", "class B", "class A < B", "b.rb use.rb"],
    ["a class that is loaded by its name has another name", `
-- app/models/circle.rb --
class Circle
end
-- use.rb --
Circle
x = [Circle]
`, "app/models/circle.rb", "Circle", "Square", "app/models/circle.rb use.rb"],
    ["a method of the same name in a class of the same name comes before", `
-- a.rb --
module A
end
module B
  class X
    def one; end
  end
end
-- use.rb --
B::X.new.one
`, "a.rb", "module A\n", "module A\n  class X\n    def one; end\n  end\n", "a.rb use.rb"],
    ["a method of the same name in a class of the same name that was there comes before", `
-- a.rb --
module A
  class X
    def two; end
  end
end
module B
  class X
    def one; end
  end
end
-- use.rb --
B::X.new.one
`, "a.rb", "def two", "def one", "a.rb use.rb"],
    ["a constructor that gives to its block, of what has no name, and a class more", `${SHAPES}
-- use.rb --
made = Class.new do
  def setup
    yield Circle.new
  end
end
made.new { |shape| shape.turn }
`, "use.rb", "  def setup", "  include Base\n  def initialize", "use.rb"],
    ["a constructor that gives to its block, of what has no name, alone", `${SHAPES}
-- use.rb --
made = Class.new do
  def setup
    yield Circle.new
  end
end
made.new { |shape| shape.turn }
`, "use.rb", "def setup", "def initialize", "use.rb"],
    ["a name that stands before another one", `
-- a.rb --
module A
  class C
    def a; end
  end
end
module B
  class C
    def b; end
  end
end
-- names.rb --
NAME = A
-- use.rb --
NAME::C.new.a
module Inner
  module A
  end
  def self.go
    A::C.new.a
  end
end
`, "use.rb", "module A\n", "module B\n", "use.rb"],
    ["a name that a doc comment says", `
-- a.rb --
class A
  def a; end
end
-- inner.rb --
module Inner
end
-- use.rb --
module Inner
  # @return [A, nil]
  def self.one
    nil
  end
  # @return [Array<Inner::A>]
  def self.all
    nil
  end
end
Inner.one.a
Inner.all.first.a
`, "inner.rb", "module Inner\n", "module Inner\n  class A\n    def a; end\n  end\n", "inner.rb use.rb"],
    ["a name of the top level", `
-- a.rb --
class A
  def a; end
end
-- use.rb --
module Inner
  class A
  end
  ::A.new.a
end
`, "a.rb", "class A", "class B", "a.rb use.rb"],
    ["a module in another one comes that a class in a third file is called after: all files", `
-- a.rb --
module A
  class B
    def a; end
  end
end
-- c.rb --
module C
  class A::B
    def b; end
  end
end
-- b.rb --
module C
end
-- use.rb --
A::B.new.b
`, "b.rb", "module C\n", "module C\n  module A\n  end\n", "all"],
    ["classes without names", `${SHAPES}
-- a.rb --
one = Class.new(Circle) do
  def go
    turn
  end
end
two = Class.new(Square) do
  def go
    flip
  end
end
one.new.go
two.new.go
`, "a.rb", "one = ", "none = Class.new(Base) do\n  def go\n    draw\n  end\nend\none = ", "a.rb"],
    ["what is above a class rests on what a constant is, which is the same", `
-- a.rb --
module A
  def one; end
end
MIXED = A
class C
  include MIXED
end
-- b.rb --
class B
end
-- use.rb --
C.new.one
B.new.one
`, "b.rb", "class B", "class B\n  include A", "b.rb use.rb"],
    ["what is above a class rests on what a constant is, which is another thing", `
-- a.rb --
module A
  def one; end
end
module B
  def one; end
end
class C
  include MIXED
end
-- mixed.rb --
module Inner
  MIXED = A
end
-- names.rb --
MIXED = A
-- use.rb --
C.new.one
`, "names.rb", "MIXED = A", "MIXED = B", "all"],
    ["a class of Ruby's own comes that inherits from one of the code base", `
-- a.rb --
class A
  def one; end
end
-- core.rb --
class Strings < A
end
-- use.rb --
"a".one
`, "core.rb", "class Strings", "class String", "core.rb use.rb"],
    ["a class that is nothing but false comes that inherits from one of the code base", `
-- a.rb --
class A
  def one; end
end
-- core.rb --
class Nothing < A
end
-- use.rb --
nil.one
`, "core.rb", "class Nothing", "class NilClass", "core.rb use.rb"],
    ["a class is below another one no more: what its constructor gets is not what objects of that one have", `${SHAPES}
-- a.rb --
class A
  def initialize(shape)
    @shape = shape
  end
end
-- b.rb --
class B < D
end
-- d.rb --
class D < A
  def see
    @shape.turn
  end
end
-- use.rb --
B.new(Circle.new)
`, "b.rb", "class B < D", "class B < A", "b.rb d.rb"],
    ["something of another code base above: a class method that a block calls gives its objects", `
-- a.rb --
class A
  def turned; end
end
-- use.rb --
[A].map(&:last).first.turned
`, "a.rb", "class A", "class A < Outside", "a.rb use.rb"],
    ["a hook gives another module, where nobody includes it", `
-- a.rb --
module A
  def self.included(base)
    base.extend(One)
  end
  def go
    self.class.one
  end
end
-- one.rb --
module One
  def one; end
end
-- two.rb --
module Two
  def one; end
end
`, "a.rb", "extend(One)", "extend(Two)", "a.rb"],
    ["a file's own method is that of another object", `
-- a.rb --
def self.halted; end
-- use.rb --
halted
`, "a.rb", "self.", "other.", "a.rb use.rb"],
    ["the last module that is included is the first", `
-- a.rb --
module A
  def one; end
end
module B
  def one; end
end
module D
  def one; end
end
-- c.rb --
class C
  include A
  include B
  include D
end
-- use.rb --
C.new.one
`, "c.rb", "  include A\n  include B\n  include D\n", "  include D\n  include A\n  include B\n", "c.rb use.rb"],
    ["the first module that is included is the last", `
-- a.rb --
module A
  def one; end
end
module B
  def one; end
end
module D
  def one; end
end
-- c.rb --
class C
  include A
  include B
  include D
end
-- use.rb --
C.new.one
`, "c.rb", "  include A\n  include B\n  include D\n", "  include B\n  include D\n  include A\n", "c.rb use.rb"],
    ["the code that leads first to two methods that call each other is a class now", `${SHAPES}
-- a.rb --
fore.flip
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
aft.turn
fore.turn
`, "a.rb", "fore.flip", "class More; end", "a.rb c.rb d.rb e.rb"],
  ])("%s", expectInPart);
});
