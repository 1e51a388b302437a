/** How people and programs write where something is, as the names that this engine takes. */

/** Lines of stack traces, compilers and test runners, with what stands where: file, line, and what is called there. */
const TRACES: readonly RegExp[] = [
  // Python: File "src/a.py", line 12, in run
  /^File "(?<file>.+)", line (?<line>\d+)(?:, in (?<name>\S+))?$/,
  // C#: at Shop.Cart.Add(Int32 n) in /src/Cart.cs:line 12
  /^at (?<name>[^(]+)\(.*\) in (?<file>.+):line (?<line>\d+)$/,
  // JavaScript, Java: at Cart.add (src/cart.ts:12:3), at app//shop.Cart.add(Cart.java:12)
  /^at (?:async |new )*(?:[\w.@-]*\/+)?(?<name>[^\s(]+)(?: \[as \S+\])? ?\((?<file>[^()]+?):(?<line>\d+)(?::\d+)?\)$/,
  // JavaScript without a name, Rust: at src/cart.rs:12:3
  /^at (?:async )?(?<file>\S+?):(?<line>\d+)(?::\d+)?$/,
  // C# and Java without their files: at Shop.Cart.Add(Int32 n)
  /^at (?:async |new )*(?:[\w.@-]*\/+)?(?<name>[^\s(]+) ?\(.*\)$/,
  // Firefox, Safari: add@http://localhost/src/cart.ts:12:3
  /^(?<name>[^\s@:]*)@(?<file>\S+?):(?<line>\d+)(?::\d+)?$/,
  // Ruby: app/cart.rb:12:in 'Cart#add'
  /^(?:from )?(?<file>.+):(?<line>\d+):in [`'](?:block in |block \(\d+ levels\) in |rescue in |ensure in )?(?<name>.+)'$/,
  // PHP: #0 /src/Cart.php(12): Cart->add()
  /^#\d+ (?<file>.+)\((?<line>\d+)\): (?<name>[^(]+)\(.*\)$/,
  // PHP: Uncaught Error: no cart in /src/Cart.php:12, and: thrown in /src/Cart.php on line 12
  /(?:^|\s)in (?<file>\S+\.php)(?::| on line )(?<line>\d+)$/,
  // GDB: #3 0x0000555 in add (n=1) at src/cart.c:12
  /^#\d+\s+(?:0x[0-9a-f]+ in )?(?<name>[^\s(]+) ?\(.*\) at (?<file>.+?):(?<line>\d+)$/,
  // LLDB: frame #0: 0x0001 shop`add(n=1) at cart.c:12:3
  /^\*?\s*frame #\d+: 0x[0-9a-f]+ [^`]+`(?<name>[^(]+?)(?:\(.*\))? at (?<file>.+?):(?<line>\d+)(?::\d+)?$/,
  // Sanitizers: #1 0x4f52 in add(int) /src/cart.c:12:3
  /^#\d+\s+0x[0-9a-f]+ in (?<name>.+?) (?<file>\S+?):(?<line>\d+)(?::\d+)?$/,
  // Go: /src/cart.go:12 +0x1d, and: created by main.run in goroutine 1
  /^(?<file>\S+):(?<line>\d+) \+0x[0-9a-f]+$/,
  /^created by (?<name>\S+)(?: in goroutine \d+)?$/,
  /^--- FAIL: (?<name>\w+)/,
  // Rust: 3: shop::cart::add, thread 'main' panicked at src/cart.rs:12:3, and: --> src/cart.rs:12:3
  /^\d+:\s+(?:0x[0-9a-f]+ - )?(?<name>[^\s/]+(?: as [^\s/]+)?)$/,
  /panicked at (?:'.*', )?(?<file>[^\s']+?):(?<line>\d+):\d+:?$/,
  /^-->\s+(?<file>.+?):(?<line>\d+)(?::\d+)?$/,
  // tsc, MSBuild: src/cart.ts(12,3): error
  /^(?<file>[^\s()]+)\((?<line>\d+),\d+\)(?::.*)?$/,
  // pytest: shop/cart.py:12: in add
  /^(?<file>\S+):(?<line>\d+): in (?<name>\S+)$/,
  // Compilers, linters, Go's tests: src/cart.c:12:3: error: no cart
  /^(?<file>[^\s:()]+):(?<line>\d+)(?::\d+)?:(?:\s.*)?$/,
];

/** What a text may mean as `name`, `file:name`, `file:line` and so on, the likeliest first; itself, where it is none of these forms. */
export function spellings(given: string): string[] {
  const text = given.trim();
  for (const form of TRACES) {
    const { file, line, name } = form.exec(text)?.groups ?? {};
    if (file === undefined && name === undefined) continue;
    const path = file?.replace(/^file:\/\//, "").replace(/^[\w-]+:\/\/[^/]*\/+/, "").replace(/\?.*$/, "");
    const plain = name === undefined ? undefined : plainName(name);
    const last = plain?.split(/[.#:>/\\]+/).at(-1);
    return [
      ...(path !== undefined && last !== undefined ? [`${path}:${last}`] : []),
      ...(path !== undefined ? [`${path}:${line!}`] : []), ...(plain !== undefined ? [plain, withoutCrate(plain) ?? plain] : []),
    ];
  }
  const place = /^(.+?:\d+):\d+(?: - .*)?$/.exec(text)?.[1] ?? placeOf(text);
  const plain = plainName(signatureName(text));
  const declared = declaredName(text);
  const others = [place, plain, /^[\w.]+:[A-Za-z_][\w.]*$/.test(plain) ? plain.replace(":", ".") : undefined, withoutCrate(plain), declared];
  // What has its file before it is nothing else.
  const first = /^(.+\.\w{1,5})::(.+)$/.exec(text)?.slice(1, 3);
  return [...(first ? [`${first[0]!}:${plainName(first[1]!)}`] : []), text, ...new Set(others.filter((one) => one !== undefined && one !== text))] as string[];
}

/** Words before the one that says what is declared. */
const MODIFIERS = /^(?:(?:export|default|declare|public|private|protected|internal|static|abstract|final|sealed|partial|async|unsafe|extern|inline|pub(?:\([^)]*\))?) +)+/;
const DECLARES = /^(?:class|struct|union|enum(?: class)?|interface|trait|record|type|module|mod|namespace|func|fn|def|function\*?|(?:const|let|var)(?= +[\w$]+ *(?:[:=]|$))) +/;

/** What a line declares: `class Cart`, `pub fn add(&self)`, `func (c *Cart) Add(n int) error {`. */
function declaredName(text: string): string | undefined {
  const line = text.replace(MODIFIERS, "");
  const rest = line.replace(DECLARES, "").replace(/^\((?:[\p{L}\p{N}_]+ +)?\*?([\p{L}\p{N}_]+)(?:\[[^\]]*\])?\) +(?=[\p{L}_])/u, "$1.");
  return rest === line ? undefined : /^(?:::|[\p{L}\p{N}_$.#~\\])+[?!]?(?=\s*(?:$|[({[<:=;,])|\s+(?:extends|implements|struct|interface|final)\b)/u.exec(rest)?.[0];
}

/** GitHub: `src/a.ts#L12-L20`. */
function placeOf(text: string): string | undefined {
  const [, path, line] = /^(.+)#L(\d+)(?:C\d+)?(?:-L?\d+(?:C\d+)?)?$/.exec(text) ?? [];
  return path === undefined ? undefined : `${path}:${line!}`;
}

/** C++: `void shop::Cart::add(int) const` without what is no name. Also `new Cart`, `*Mux.serve`. */
function signatureName(text: string): string {
  const member = text.replace(/(?:\s+(?:const|noexcept|override|final|volatile|&{1,2}))+$/, "").replace(/^(?:new |[*&])(?=\w)/, "");
  return /^[\w:<>,*&~\s]+?[\s*&]([\w:~]+(?:<[^()]*>)?\(.*\))$/.exec(member)?.[1] ?? member;
}

/** Rust: a name from another crate begins with that of ours. */
function withoutCrate(name: string): string | undefined {
  return /^\w+::(?=\w+::)/.test(name) ? name.replace(/^\w+::/, "") : undefined;
}

/**
 * `(*Mux).routeHTTP`, `Map[K,V].Get`, `main.run.func1`, `Layer.prototype.handle`, `Vec<T>::push`, `<Cart as Add>::add`,
 * `Cart.<Add>b__0`, `Cart.lambda$add$0`, `Cart$Item.<init>` and `add(x, y)` without what is no name.
 */
function plainName(text: string): string {
  let name = text.replace(/::h[0-9a-f]{16}$/, "").replace(/^<(.+?) as .+>(?=::)/, "$1").replace(/(?:\(anonymous namespace\)|\{anonymous\}|<unnamed>|`anonymous namespace')::/g, "").replace(/::\{\{closure\}\}/g, "")
    .replace(/<(\w+)>[a-z]__[\w|]*(?:\.MoveNext)?/g, "$1").replace(/\blambda\$(\w+)\$\d+/, "$1").replace(/\.<(?:init|clinit|ctor)>/, "").replace(/`\d+/g, "").replace(/(?<=\w)@(?=\w+$)/, ".")
    .replace(/(?<=\w)[$+](?=[A-Z])/g, ".").replace(/\(\*?([\p{L}\p{N}_.]+)(?:\[[^\]]*\])?\)(?=\.)/gu, "$1");
  name = name.replace(/(?<=[\p{L}\p{N}_\])>?!])\((?:[^()]|\([^()]*\))*\)$/u, "");
  for (let before = ""; before !== name;) {
    before = name;
    name = name.replace(/\[[^[\]]*\]/g, "").replace(/(?<=\w)(?:::)?<[^<>]*>/g, "");
  }
  return name.replace(/(?:\.func\d+(?:\.\d+)*|-fm|\.<locals>\.<lambda>)$/, "").replaceAll(".<locals>", "").replaceAll(".prototype.", ".");
}

/** `a.b::C#d()` as the modules or types a, b, C and the last name, d. */
export function partsOfName(name: string): { modules: string[]; last: string } {
  // The signs of C++'s `operator()` and `operator->` are its name, and so are the brackets of JavaScript's `[Symbol.iterator]`.
  const whole = /\boperator ?[^\w ].*$|\[[\w$.]+\]$/.exec(name)?.[0];
  // `Type.#method` is JavaScript's private method, `Type#method` one of Ruby or Java.
  const modules = (whole === undefined ? name : `${name.slice(0, -whole.length)}.`).replace(/\(\)$/, "").split(/(?:\.(?=#)|(?<=\w)#|\.|::|\\|\/|->)+/);
  const end = modules.pop()!;
  const last = whole?.replace(/\s+/g, "") ?? end;
  // How Rust calls the place where it is.
  while (/^(?:|crate|self|super)$/.test(modules[0] ?? "-")) modules.shift();
  return { modules, last };
}
