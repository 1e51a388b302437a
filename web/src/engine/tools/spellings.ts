/** How people and programs write where something is, as the names that this engine takes. */

/** Lines of stack traces, with what stands where: file, line, and what is called there. */
const TRACES: readonly RegExp[] = [
  // Python: File "src/a.py", line 12, in run
  /^File "(?<file>.+)", line (?<line>\d+)(?:, in (?<name>\S+))?$/,
  // C#: at Shop.Cart.Add(Int32 n) in /src/Cart.cs:line 12
  /^at (?<name>[^(]+)\(.*\) in (?<file>.+):line (?<line>\d+)$/,
  // JavaScript, Java: at Cart.add (src/cart.ts:12:3), at shop.Cart.add(Cart.java:12)
  /^at (?:async |new )*(?<name>[^\s(]+)(?: \[as \S+\])? ?\((?<file>[^()]+?):(?<line>\d+)(?::\d+)?\)$/,
  // JavaScript without a name, Rust: at src/cart.rs:12:3
  /^at (?<file>\S+?):(?<line>\d+)(?::\d+)?$/,
  // Ruby: app/cart.rb:12:in 'Cart#add'
  /^(?:from )?(?<file>.+):(?<line>\d+):in [`'](?:block in |block \(\d+ levels\) in )?(?<name>.+)'$/,
  // PHP: #0 /src/Cart.php(12): Cart->add()
  /^#\d+ (?<file>.+)\((?<line>\d+)\): (?<name>[^(]+)\(.*\)$/,
  // Go: /src/cart.go:12 +0x1d
  /^(?<file>\S+):(?<line>\d+) \+0x[0-9a-f]+$/,
  // Rust: 3: shop::cart::add
  /^\d+:\s+(?:0x[0-9a-f]+ - )?(?<name>[\w:<>]+)$/,
];

/** What a text may mean as `name`, `file:name`, `file:line` and so on, the likeliest first; itself, where it is none of these forms. */
export function spellings(given: string): string[] {
  const text = given.trim();
  for (const form of TRACES) {
    const { file, line, name } = form.exec(text)?.groups ?? {};
    if (file === undefined && name === undefined) continue;
    const path = file?.replace(/^file:\/\//, "");
    const plain = name === undefined ? undefined : plainName(name);
    const last = plain?.split(/[.#:>/\\]+/).at(-1);
    return [
      ...(path !== undefined && last !== undefined ? [`${path}:${last}`] : []),
      ...(path !== undefined ? [`${path}:${line!}`] : []), ...(plain !== undefined ? [plain] : []),
    ];
  }
  const place = /^(.+?:\d+):\d+$/.exec(text)?.[1];
  const plain = plainName(text);
  return [text, ...(place === undefined ? [] : [place]), ...(plain === text ? [] : [plain])];
}

/** `(*Mux).routeHTTP`, `Map[K,V].Get`, `main.run.func1`, `Layer.prototype.handle`, `Vec<T>::push` and `add(x, y)` without what is no name. */
function plainName(text: string): string {
  let name = text.replace(/\(\*?([\w.]+)(?:\[[^\]]*\])?\)(?=\.)/g, "$1");
  name = name.replace(/(?<=[\w\])>])\((?:[^()]|\([^()]*\))*\)$/, "");
  for (let before = ""; before !== name;) {
    before = name;
    name = name.replace(/\[[^[\]]*\]/g, "").replace(/(?<=\w)(?:::)?<[^<>]*>/g, "");
  }
  return name.replace(/(?:\.func\d+(?:\.\d+)*|-fm|\.<locals>\.<lambda>)$/, "").replaceAll(".<locals>", "").replaceAll(".prototype.", ".");
}
