import { describe, test } from "vitest";
import { type Edit, expectInPart, SHAPES } from "../../../../test/ruby-folder.ts";

describe("after an edit of what is answered by who asked first, relations are those of an index from the start, and these files alone were resolved", () => {
  test.each<[...Edit, redone: string]>([
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
    ["what is called leads to two methods that call each other no more, and stands as it stood", `${SHAPES}
-- a.rb --
pick.go
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
-- one.rb --
class One
  def go
    aft
  end
end
class Two
  def go
    1
  end
end
-- pick.rb --
def pick
  One.new
end
`, "pick.rb", "One", "Two", "a.rb b.rb c.rb d.rb e.rb one.rb pick.rb"],
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
  ])("%s", expectInPart);
});
