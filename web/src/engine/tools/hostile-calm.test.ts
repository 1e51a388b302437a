/** Functions that one other calls, and that are used once more where only the run tells: never LOW, whatever the language. */
import { expect, it } from "vitest";
import { codebaseOf } from "../../../test/codebase.ts";
import { call } from "../../../test/tools.ts";

const CASES: Record<string, { files: Record<string, string>; targets: string[] }> = {
  "go tags, tables, method values, linkname, templates": {
    files: {
      "go.mod": "module m\n\ngo 1.26\n",
      "a.go": "package main\n\nimport (\n\t\"reflect\"\n\t\"text/template\"\n\t_ \"unsafe\"\n)\n\ntype t struct {\n\tF func() `call:\"tagged\"`\n}\n\nfunc (t) reflected() {}\n\nfunc (t) valued() {}\n\nfunc (t) templated() string { return \"\" }\n\nfunc tagged() {}\n\nfunc tabled() {}\n\nfunc linked() {}\n\n//go:linkname other m.linked\nfunc other()\n\nvar table = map[string]func(){\"a\": tabled}\n\nfunc main() {\n\tv := t{}\n\tv.reflected()\n\tv.valued()\n\t_ = v.templated()\n\ttagged()\n\ttabled()\n\tlinked()\n\tf := v.valued\n\tf()\n\treflect.ValueOf(v).MethodByName(\"reflected\").Call(nil)\n\ttemplate.Must(template.New(\"\").Parse(`{{ .templated }}`))\n\ttable[\"a\"]()\n}\n",
    },
    targets: ["reflected", "valued", "templated", "tagged", "tabled", "linked"],
  },
  "typescript tables, re-exports, dynamic imports, keys": {
    files: {
      "a.ts": "function keyed(): void {}\nfunction asserted(): void {}\nfunction shorthand(): void {}\nfunction defaulted(): void {}\nfunction exportedLate(): void {}\nclass Box {\n  private hidden(): void {}\n  private named(): void {}\n  run(): void { this.hidden(); this.named();\n    (this as any)[\"hidden\"](); }\n}\nfunction spread(): void {}\nkeyed(); asserted(); shorthand(); defaulted(); exportedLate(); spread();\nconst table = { keyed, other: asserted as () => void };\n(globalThis as any)[\"shorthand\"]();\nfunction take(f = defaulted): void { f(); }\ntake();\nexport { exportedLate as late };\nconst all = [...[spread]];\nall.forEach((f) => f());\nconst name = \"named\";\n(new Box() as any)[name]();\nvoid table;\n",
    },
    targets: ["keyed", "asserted", "shorthand", "defaulted", "exportedLate", "spread", "Box.hidden", "Box.named"],
  },
  "javascript exports and html": {
    files: {
      "a.js": "function viaExports() {}\nfunction viaHtml() {}\nfunction viaEval() {}\nfunction viaCall() {}\nfunction viaBind() {}\nviaExports(); viaHtml(); viaEval(); viaCall(); viaBind();\nmodule.exports.go = viaExports;\neval(\"viaEval()\");\nviaCall.call(null);\nconst b = viaBind.bind(null);\nb();\n",
      "index.html": "<button onclick=\"viaHtml()\">x</button>\n",
    },
    targets: ["viaExports", "viaHtml", "viaEval", "viaCall", "viaBind"],
  },
  "python getattr, globals, decorators, defaults": {
    files: {
      "a.py": "import sys\n\n\ndef _got():\n    pass\n\n\ndef _globbed():\n    pass\n\n\ndef _defaulted():\n    pass\n\n\ndef _decorates(f):\n    return f\n\n\ndef _keyed():\n    pass\n\n\ndef _partial():\n    pass\n\n\nclass _A:\n    def _meth(self):\n        pass\n\n    def _prop(self):\n        pass\n\n    prop = property(_prop)\n\n    def run(self):\n        self._meth()\n        self._prop()\n        getattr(self, '_meth')()\n\n\ndef take(f=_defaulted, *, g=None):\n    f()\n\n\n@_decorates\ndef run():\n    _got(); _globbed(); _defaulted(); _keyed(); _partial(); _decorates(run)\n    getattr(sys.modules[__name__], '_got')()\n    globals()['_globbed']()\n    {'a': _keyed}['a']()\n    take(g=_partial)\n",
    },
    targets: ["_got", "_globbed", "_defaulted", "_decorates", "_keyed", "_partial", "_A._meth", "_A._prop"],
  },
  "java method references, reflection": {
    files: {
      "A.java": "import java.util.*;\nimport java.util.function.*;\n\npublic class A {\n  private void reflected() {}\n  private void referenced() {}\n  private static void listed() {}\n  private String annotated() { return \"\"; }\n  private final List<Runnable> all = List.of(A::listed);\n  @MethodSource(\"annotated\")\n  public void run() throws Exception {\n    reflected(); referenced(); listed(); annotated();\n    A.class.getDeclaredMethod(\"reflected\").invoke(this);\n    Runnable r = this::referenced;\n    r.run();\n  }\n}\n",
    },
    targets: ["A.reflected", "A.referenced", "A.listed", "A.annotated"],
  },
  "csharp groups, nameof, events, reflection": {
    files: {
      "A.cs": "using System;\nusing System.Collections.Generic;\npublic class A {\n  private void Reflected() {}\n  private void Grouped() {}\n  private void Named() {}\n  private void Handled(object s, EventArgs e) {}\n  private static void Tabled() {}\n  private readonly Dictionary<string, Action> all = new() { [\"a\"] = Tabled };\n  event EventHandler Done;\n  public void Run() {\n    Reflected(); Grouped(); Named(); Handled(null, null); Tabled();\n    GetType().GetMethod(\"Reflected\").Invoke(this, null);\n    Action a = Grouped;\n    a();\n    Call(nameof(Named));\n    Done += Handled;\n  }\n  private void Call(string n) {}\n}\n",
    },
    targets: ["A.Reflected", "A.Grouped", "A.Named", "A.Handled", "A.Tabled"],
  },
  "c macros, arrays of pointers, designated members": {
    files: {
      "a.c": "struct ops { void (*run)(void); };\n#define CALL(name) static_##name()\n#define REG(f) { f }\nstatic void static_glued(void) {}\nstatic void arrayed(void) {}\nstatic void membered(void) {}\nstatic void inmacro(void) {}\nstatic void addressed(void) {}\nstatic void aliased(void) __attribute__((alias(\"addressed\")));\nstatic void (*table[])(void) = { arrayed, &addressed };\nstatic struct ops o = { .run = membered };\nstatic struct ops p = REG(inmacro);\n\nint main(void) {\n  static_glued(); arrayed(); membered(); inmacro(); addressed();\n  CALL(glued);\n  table[0](); o.run(); p.run();\n  return 0;\n}\n",
    },
    targets: ["static_glued", "arrayed", "membered", "inmacro", "addressed"],
  },
  "cpp members, lambdas, templates": {
    files: {
      "a.cpp": "#include <functional>\n#include <map>\n#include <string>\nstatic void mapped() {}\nstatic void templated() {}\nstatic void bound(int) {}\ntemplate <void (*F)()> void callit() { F(); }\nclass A {\n  void pointed() {}\n  static void stat() {}\npublic:\n  void run() { pointed(); stat(); void (A::*p)() = &A::pointed; (this->*p)(); std::function<void()> f = stat; f(); }\n};\nstatic std::map<std::string, void (*)()> table = {{\"a\", mapped}};\nint main() { mapped(); templated(); bound(1); callit<templated>(); auto b = std::bind(bound, 1); b(); table[\"a\"](); return 0; }\n",
    },
    targets: ["mapped", "templated", "bound", "A.pointed", "A.stat"],
  },
  "rust macros, tables, traits": {
    files: {
      "Cargo.toml": "[package]\nname = \"m\"\n",
      "src/main.rs": "macro_rules! go { ($f:ident) => { $f() }; }\nfn in_macro() {}\nfn tabled() {}\nfn mapped(x: i32) -> i32 { x }\nfn serde_default() -> i32 { 1 }\n#[derive(Deserialize)]\nstruct S { #[serde(default = \"serde_default\")] a: i32 }\nimpl S { fn method(&self) {} fn assoc() {} }\nstatic TABLE: [fn(); 1] = [tabled];\nfn main() {\n    in_macro(); tabled(); mapped(1); serde_default(); S { a: 1 }.method(); S::assoc();\n    go!(in_macro);\n    TABLE[0]();\n    vec![1].into_iter().map(mapped);\n    let f = S::method;\n    f(&S { a: 1 });\n    let g: fn() = S::assoc;\n    g();\n}\n",
    },
    targets: ["in_macro", "tabled", "mapped", "serde_default", "S.method", "S.assoc"],
  },
  "ruby send, method, symbols, callbacks": {
    files: {
      "a.rb": "class A\n  before_action :called_back\n\n  def run\n    sent; methoded; blocked(1); called_back; aliased; defined\n    send(:sent)\n    public_send(\"sent\")\n    m = method(:methoded)\n    m.call\n    [1].each(&method(:blocked))\n    instance_eval(\"defined\")\n  end\n  alias other aliased\n\n  private\n\n  def sent\n  end\n\n  def methoded\n  end\n\n  def blocked(x)\n  end\n\n  def called_back\n  end\n\n  def aliased\n  end\n\n  def defined\n  end\nend\n",
    },
    targets: ["A#sent", "A#methoded", "A#blocked", "A#called_back", "A#aliased", "A#defined"],
  },
  "php strings, arrays, first-class callables": {
    files: {
      "A.php": "<?php\nclass A {\n  private function stringed() {}\n  private function arrayed() {}\n  private function firstClass() {}\n  private static function stat() {}\n  private function magic() {}\n  public function run() {\n    $this->stringed(); $this->arrayed(); $this->firstClass(); self::stat(); $this->magic();\n    $f = 'stringed';\n    $this->$f();\n    usort($a, [$this, 'arrayed']);\n    $g = $this->firstClass(...);\n    $g();\n    array_map('A::stat', []);\n    call_user_func([$this, 'magic']);\n  }\n}\n",
    },
    targets: ["A::stringed", "A::arrayed", "A::firstClass", "A::stat", "A::magic"],
  },
};

/** The lines that have a word, but for the one that declares it. */
function linesWith(files: Record<string, string>, name: string, declared: string): string[] {
  const word = new RegExp(`(?<![\\w$])${name}(?![\\w$])`);
  return Object.entries(files).flatMap(([path, text]) => text.split("\n").flatMap((line, i) => (word.test(line) ? [`${path}:${i + 1}`] : []))).filter((at) => at !== declared);
}

interface Answer { target: { id: string; line: number }; risk: { level: string }; byDepth: { depth: number; items: { id: string; sites?: number[] }[]; files?: string[] }[] }

/** The lines that an answer names at depth 1, as `path:line`. */
function told({ byDepth }: Answer): string[] {
  const [first] = byDepth.filter(({ depth }) => depth === 1);
  const ofSymbols = (first?.items ?? []).flatMap(({ id, sites = [] }) => sites.map((line) => `${id.split(":")[1]!}:${line}`));
  return [...ofSymbols, ...(first?.files ?? []).flatMap((file) => file.slice(file.indexOf(":") + 1).split(",").map((line) => `${file.slice(0, file.indexOf(":"))}:${line}`))];
}

it.each(Object.entries(CASES))("%s", async (_, { files, targets }) => {
  const codebase = await codebaseOf(files);
  const calm: string[] = [];
  for (const target of targets) {
    const answer = await call("impact", { target, direction: "upstream" }, { codebase }) as unknown as Answer;
    if (answer.risk.level === "unknown") continue;
    const known = told(answer);
    const uses = linesWith(files, target.split(/[.#:]+/).at(-1)!, `${answer.target.id.split(":")[1]!}:${answer.target.line}`);
    calm.push(...uses.filter((at) => !known.includes(at)).map((at) => `${target}: ${at}`));
  }
  expect(calm).toEqual([]);
});

const PIECES: [string, string, string][] = [
  ["a.py", "class _V:\n    def _visit_call(self):\n        pass\n\n    def run(self, kind):\n        self._visit_call()\n        return getattr(self, f\"_visit_{kind}\")()\n", "_V._visit_call"],
  ["a.py", "class _V:\n    def _visit_call(self):\n        pass\n\ndef run(visitor, kind):\n    return getattr(visitor, '_visit_' + kind)()\n", "_V._visit_call"],
  ["a.ts", "class V {\n  private visitCall(): void {}\n  run(kind: string): void { this.visitCall(); (this as any)[`visit${kind}`](); }\n}\nnew V().run(\"Call\");\n", "V.visitCall"],
  ["a.rb", "class V\n  def run(kind)\n    send(\"visit_#{kind}\")\n    visit_call\n  end\n\n  private\n\n  def visit_call\n  end\nend\n", "V#visit_call"],
  ["A.php", "<?php\nclass V {\n  private function visitCall() {}\n  public function run($kind) { $this->visitCall(); return $this->{'visit' . $kind}(); }\n}\n", "V::visitCall"],
  ["A.java", "class V {\n  private void visitCall() {}\n  void run(String kind) throws Exception { visitCall(); V.class.getDeclaredMethod(\"visit\" + kind).invoke(this); }\n}\n", "V.visitCall"],
  ["A.cs", "class V {\n  private void VisitCall() {}\n  void Run(string kind) { VisitCall(); GetType().GetMethod($\"Visit{kind}\").Invoke(this, null); }\n}\n", "V.VisitCall"],
  ["a.rb", "class D\n  def run(kind, one)\n    select_distinct_sql\n    send(:\"#{kind}_#{one}_sql\")\n  end\n\n  private\n\n  def select_distinct_sql; end\nend\n", "D#select_distinct_sql"],
  ["a.py", "def _select_where_sql():\n    pass\n\n\ndef run(a, b):\n    _select_where_sql()\n    return globals()[f\"_{a}_{b}_sql\"]()\n", "_select_where_sql"],
  ["a.c", "#define RUN(name) name##_handler()\nstatic void call_handler(void) {}\nstatic void start(void) { call_handler(); RUN(call); }\n", "call_handler"],
  ["a.c", "#define RUN(name) visit_##name()\nstatic void visit_call(void) {}\nstatic void start(void) { visit_call(); RUN(call); }\n", "visit_call"],
];

it.each(PIECES)("%s: a name that code puts together of pieces is in no line, and not LOW", async (path, text, target) => {
  const codebase = await codebaseOf({ [path]: text });
  const { risk } = await call("impact", { target, direction: "upstream" }, { codebase }) as unknown as { risk: { level: string; reasons: string[] } };
  expect(risk.level).toBe("unknown");
  expect(risk.reasons.join()).toContain(`puts names like ${target.split(/[.#:]+/).at(-1)!} together`);
});

it("says it in deep_dive and test_impact, too", async () => {
  const codebase = await codebaseOf({ "a.c": "static void named(void) {}\nstatic void start(void) { named(); }\n", "b.c": "void *find(const char *);\nstatic void other(void) { find(\"named\"); }\n" });
  expect((await call("deep_dive", { name: "named" }, { codebase })).risk).toMatchObject({ level: "unknown" });
  expect((await call("test_impact", { changedFiles: ["a.c"] }, { codebase })).risk).toMatchObject({ level: "unknown" });
});
