import { expect, it } from "vitest";
import { codebaseOf } from "../../../test/codebase.ts";
import { call } from "../../../test/tools.ts";

interface Answer { tests: { groups: { items: string[] }[] }; run?: string[] }

const impact = async (repo: Record<string, string>, changed: string): Promise<Answer> =>
  await call("test_impact", { changedFiles: [changed] }, { codebase: await codebaseOf(repo) }) as unknown as Answer;

it("names the tests of Go and runs just them, in their packages", async () => {
  const answer = await impact({
    "go.mod": "module m\n", "a/a.go": "package a\n\nfunc A() {}\n", "a/a_test.go": "package a\n\nimport \"testing\"\n\nfunc TestA(t *testing.T) { A() }\n\nfunc TestOther(t *testing.T) {}\n",
    "b/b_test.go": "package b\n\nimport (\n\t\"testing\"\n\n\t\"m/a\"\n)\n\nfunc TestB(t *testing.T) { a.A() }\n",
  }, "a/a.go");
  expect(answer.tests.groups.flatMap(({ items }) => items).sort()).toEqual(["a/a_test.go: TestA", "b/b_test.go: TestB"]);
  expect(answer.run).toEqual(["go test ./a ./b -run '^(TestA|TestB)$'"]);
});

it("names the tests of Python by their classes", async () => {
  const { run } = await impact({
    "shop/price.py": "def price():\n    return 1\n", "tests/test_price.py": "from shop.price import price\n\n\nclass TestPrice:\n    def test_one(self):\n        assert price() == 1\n\n\ndef test_two():\n    price()\n",
  }, "price.py");
  expect(run).toEqual(["pytest tests/test_price.py::TestPrice::test_one tests/test_price.py::test_two"]);
});

it("runs files with the runner of the package that they are in", async () => {
  const repo = { "web/a.ts": "export function a(): void {}\n", "web/a.test.ts": "import { a } from \"./a.ts\";\na();\n" };
  expect((await impact({ ...repo, "web/package.json": "{ \"devDependencies\": { \"vitest\": \"1\" } }" }, "a.ts")).run).toEqual(["cd web && npx vitest run a.test.ts"]);
  expect((await impact({ ...repo, "package.json": "{ \"scripts\": { \"test\": \"jest\" } }" }, "a.ts")).run).toEqual(["npx jest web/a.test.ts"]);
  expect((await impact({ ...repo, "web/a.test.ts": `import { test } from "node:test";\n${repo["web/a.test.ts"]}` }, "a.ts")).run).toEqual(["node --test web/a.test.ts"]);
  // Nobody knows what runs it.
  expect(await impact(repo, "a.ts")).not.toHaveProperty("run");
});

it("runs the tests that take a fixture which reaches the change, and whole files where the runner calls what does", async () => {
  const price = "def price():\n    return 1\n";
  const named = "import unittest\nfrom price import price\n\n\ndef test_a(total):\n    assert total\n\n\nclass T(unittest.TestCase):\n    def test_b(self):\n        price()\n";
  const conftest = "import pytest\nfrom price import price\n\n\n@pytest.fixture\ndef total():\n    return price()\n";
  const python = {
    "price.py": price, "tests/test_p.py": named, "tests/test_q.py": "def test_c(total):\n    assert total\n", "tests/test_r.py": "def test_d():\n    pass\n", "tests/conftest.py": conftest,
  };
  expect((await impact(python, "price.py")).run).toEqual(["pytest tests/test_p.py::T::test_b tests/test_p.py::test_a tests/test_q.py::test_c"]);
  // Tests may have it without taking it.
  const asked = "import pytest\n\n\n@pytest.mark.usefixtures(\"total\")\ndef test_d():\n    pass\n\n\ndef test_e():\n    pass\n";
  expect((await impact({ ...python, "tests/test_r.py": asked }, "price.py")).run).toEqual(["pytest tests/test_p.py tests/test_r.py tests/test_q.py"]);
  expect((await impact({ ...python, "tests/conftest.py": conftest.replace("fixture", "fixture(autouse=True)") }, "price.py")).run).toEqual(["pytest tests/test_p.py tests/test_q.py tests/test_r.py"]);
  const before = "package p;\nimport org.junit.jupiter.api.*;\nclass PriceTest {\n  int of;\n  @BeforeEach void start() { of = new Price().of(); }\n  @Test void one() { new Price().of(); }\n  @Test void two() { }\n}\n";
  const java = { "pom.xml": "<project/>", "src/main/java/p/Price.java": "package p;\npublic class Price { public int of() { return 1; } }\n" };
  expect((await impact({ ...java, "src/test/java/p/PriceTest.java": before }, "Price.java")).run).toEqual(["mvn test -Dtest='PriceTest'"]);
  // Without it the test alone, a nested one by the class around its own.
  const nested = before.replace(/.*BeforeEach.*\n/, "").replace("@Test void two() { }", "@Nested class Inner { @Test void three() { new Price().of(); } }");
  expect((await impact({ ...java, "src/test/java/p/PriceTest.java": nested }, "Price.java")).run).toEqual(["mvn test -Dtest='PriceTest#one,PriceTest$Inner#three'"]);
});

it("runs just the tests of Rust, C#, Ruby and PHP, and benchmarks of Go once", async () => {
  expect((await impact({ "Cargo.toml": "[package]\nname = \"m\"\n", "src/lib.rs": "pub mod price;\n", "src/price.rs": "pub fn price() -> i32 { 1 }\n", "tests/it.rs": "use m::price::price;\n#[test]\nfn outside() { price(); }\n" }, "price.rs")).run).toEqual(["cargo test -- outside"]);
  expect((await impact({ "P/Price.cs": "namespace P; public class Price { public int Of() => 1; }\n", "T/PriceTests.cs": "using Xunit;\nusing P;\npublic class PriceTests {\n  [Fact] public void One() { new Price().Of(); }\n  [Fact] public void Two() { }\n}\n" }, "Price.cs")).run).toEqual(["dotnet test --filter 'FullyQualifiedName~PriceTests.One'"]);
  const ruby = "class Price\n  def of\n    1\n  end\nend\n";
  expect((await impact({ "lib/price.rb": ruby, "spec/price_spec.rb": "require_relative '../lib/price'\nRSpec.describe Price do\n  it 'is one' do\n    Price.new.of\n  end\nend\n" }, "lib/price.rb")).run).toEqual(["bundle exec rspec spec/price_spec.rb"]);
  expect((await impact({ "lib/price.rb": ruby, "test/price_test.rb": "require_relative '../lib/price'\nclass PriceTest < Minitest::Test\n  def test_one\n    Price.new.of\n  end\n\n  def test_two\n  end\nend\n" }, "lib/price.rb")).run).toEqual(["ruby -Ilib:test test/price_test.rb -n '/^(test_one)$/'"]);
  expect((await impact({ "composer.json": "{\"autoload\":{\"psr-4\":{\"P\\\\\":\"src/\"}}}", "src/Price.php": "<?php\nnamespace P;\nclass Price { public function of() { return 1; } }\n", "tests/PriceTest.php": "<?php\nuse P\\Price;\nclass PriceTest extends \\PHPUnit\\Framework\\TestCase {\n  public function testOne() { (new Price())->of(); }\n  public function testTwo() { }\n}\n" }, "src/Price.php")).run).toEqual(["vendor/bin/phpunit --filter '/::(testOne)\\b/'"]);
  expect((await impact({ "go.mod": "module m\n", "a.go": "package m\n\nfunc A() {}\n", "a_test.go": "package m\n\nimport \"testing\"\n\nfunc TestA(t *testing.T) { A() }\n\nfunc BenchmarkA(b *testing.B) { A() }\n" }, "a.go")).run).toEqual(["go test . -run '^(TestA)$' -bench '^(BenchmarkA)$' -benchtime 1x"]);
});
