import { expect, it } from "vitest";
import { codebaseOf } from "../../../test/codebase.ts";
import { call } from "../../../test/tools.ts";

/** A Go program whose packages store `count` functions in one field of another package, which calls it. */
function program(count: number): Record<string, string> {
  const names = Array.from({ length: count }, (_, i) => `run${i}`);
  return {
    "go.mod": "module example.com/m\n\ngo 1.26\n",
    "cli/cli.go": "package cli\n\ntype Command struct{ Run func() }\n\nfunc (c *Command) Execute() {\n\tc.Run()\n}\n",
    "main.go": `package main\n\nimport "example.com/m/cli"\n\nvar all = []*cli.Command{\n${names.map((name) => `\t{Run: ${name}},\n`).join("")}}\n\nfunc main() { all[0].Execute() }\n\n${names.map((name) => `func ${name}() {}\n`).join("\n")}`,
  };
}

it.each([[3, "3 possible (run0 main.go:13, run1 main.go:15, run2 main.go:17)"], [12, "12 possible (run0 main.go:22, run1 main.go:24, run2 main.go:26 and 9 more: impact downstream with minConfidence 0)"]])(
  "%i functions that are stored in what is called are one line, and no facts", async (count, told) => {
    const codebase = await codebaseOf(program(count));
    const dive = await call("deep_dive", { name: "Command.Execute" }, { codebase });
    expect(dive.possibleCallees).toEqual({ total: 1, items: [`a stored function at 6: ${told}`] });
    expect(dive.callees).toBeUndefined();
    const { total } = await call("impact", { target: "Command.Execute", direction: "downstream" }, { codebase });
    expect(total).toBe(0);
    const all = await call("impact", { target: "Command.Execute", direction: "downstream", minConfidence: 0 }, { codebase });
    expect(all.total).toBe(count);
  },
);

it.each([
  ["PHP", {
    "src/Job.php": "<?php\nclass Job\n{\n    function __construct(private $done) {}\n    function finish() { ($this->done)(); }\n}\n",
    "main.php": "<?php\nfunction build() { return new Job('done'); }\nfunction done() {}\n",
  }],
  ["Ruby", {
    "lib/job.rb": "class Job\n  def initialize(done)\n    @done = done\n  end\n  def finish = @done.call\nend\n",
    "main.rb": "def build = Job.new(method(:done))\n\ndef done; end\n",
  }],
])("a function of one file that another file keeps and calls is found from both sides, in %s", async (_, files) => {
  const codebase = await codebaseOf(files);
  const [kept, main] = Object.keys(files);
  const dive = await call("deep_dive", { name: "Job.finish" }, { codebase });
  expect(dive.possibleCallees).toEqual({ total: 1, items: [`a stored function at 5: 1 possible (done ${main!}:3)`] });
  const { byDepth } = await call("impact", { target: "done", direction: "upstream", minConfidence: 0.5, maxDepth: 1 }, { codebase });
  expect(JSON.stringify(byDepth)).toContain(`"Method:${kept!}:Job.finish"`);
  expect(await call("trace_flow", { from: "Job.finish", to: "done", minConfidence: 0.5 }, { codebase })).toMatchObject({ steps: 1, to: { id: `Function:${main!}:done` } });
});
