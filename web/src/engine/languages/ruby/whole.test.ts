import { describe, test } from "vitest";
import { type Edit, expectWhole, SHAPES } from "../../../../test/ruby-folder.ts";

describe("after an edit of what everything may rest on all files were resolved", () => {
  test.each<Edit>([
    ["a class is a module", `
-- circle.rb --
class Circle
end
-- use.rb --
Circle.new
`, "circle.rb", "class", "module"],
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
    ["a class comes whose variables a template has", `
-- app/controllers/posts_controller.rb --
class PagesController
  def show
    @shape = Circle.new
  end
end
-- app/views/posts/show.html.erb --
<%= @shape.turn %>
-- circle.rb --
class Circle
  def turn; end
end
-- square.rb --
class Square
  def turn; end
end
`, "app/controllers/posts_controller.rb", "PagesController", "PostsController"],
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
    ["modules include each other no more", `
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
`, "c.rb", "  include B\n", ""],
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
  ])("%s", expectWhole);
});
