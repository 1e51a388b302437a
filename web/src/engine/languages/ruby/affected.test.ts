import { describe, test } from "vitest";
import { type Edit, expectInPart, SHAPES } from "../../../../test/ruby-folder.ts";

describe("after an edit relations are those of an index from the start, and these files alone were resolved", () => {
  test.each<[...Edit, redone: string]>([
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
    ["a method more: a name that is a value finds it", `${SHAPES}
-- run.rb --
def act_on(shape, how)
  shape.send(how)
end
-- use.rb --
act_on(Circle.new, :turn)
act_on(Circle.new, :flip)
`, "circle.rb", "  def turn", "  def flip; end\n  def turn", "circle.rb run.rb"],
    ["a method more: a value that is called it may be one of that class", `${SHAPES}
-- far.rb --
class Far
  def turn; end
end
-- use.rb --
def use(shape)
  shape.turn
  shape.roll
end
`, "circle.rb", "  def turn", "  def roll; end\n  def turn", "circle.rb use.rb"],
    ["a value is called something else: it is of another class", `${SHAPES}
-- far.rb --
class Far
  def turn; end
  def roll; end
end
-- use.rb --
def use(shape)
  shape.turn
  shape.object_id
end
`, "use.rb", "  shape.object_id", "  shape.roll", "use.rb"],
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
`, "run.rb", "(shape:)", "(form:)", "run.rb use.rb"],
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
    ["a global is declared no more", `
-- a.rb --
def quiet
  1
end
$quiet = quiet
-- b.rb --
puts $quiet
-- c.rb --
puts 1
`, "a.rb", "$quiet = quiet", "quiet", "a.rb b.rb"],
    ["a global is only given a value in a method now", `
-- a.rb --
$quiet = 1
-- b.rb --
puts $quiet
`, "a.rb", "$quiet = 1", "def quiet\n  $quiet = 1\nend", "a.rb b.rb"],
    ["a constant is given something else", `${SHAPES}
-- a.rb --
SHAPE = Circle.new
-- b.rb --
SHAPE.turn
`, "a.rb", "Circle.new", "Square.new", "a.rb b.rb"],
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
`, "run.rb", "run(shape)", "run(*shape)", "run.rb use.rb"],
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
`, "run.rb", "(shape:)\n    shape", "(form:)\n    form", "run.rb use.rb"],
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
`, "run.rb", "def run\n    @shape = 1", "def run(shape)\n    @shape = shape", "run.rb see.rb use.rb"],
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
  ])("%s", expectInPart);
});
