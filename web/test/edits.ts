/** Random edits of a repository, as people and tools make them; the same for the same seed. For property tests. */

export type Files = Record<string, string>;

/** A line that declares something, in most languages. */
const DECLARES = /\b(?:func|function|def|class|interface|struct|type|const|let|var|export|trait|enum|public|private|protected)\b/;
/** A line that begins a type with members, and no function. */
const OPENS = /^(?!.*\b(?:func|function|if|for|while|switch)\b).*\b(?:class|interface|struct)\b.*[{:]$/;

/** Numbers from 0 up to `below`, the same sequence for the same seed. */
export function dice(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return Math.floor((((t ^ (t >>> 14)) >>> 0) / 2 ** 32) * below);
  };
}

/**
 * Makes one edit, of one to three files, and says what it was. `original` is what the repository once was. With `inPlace` no file
 * comes, goes or moves.
 */
export function edit(files: Files, original: Files, roll: (below: number) => number, inPlace = false): string {
  const pick = <T>(list: readonly T[]): T => list[roll(list.length)]!;
  const paths = Object.keys(files).sort();
  if (paths.length === 0) {
    Object.assign(files, original);
    return "restore all";
  }
  const path = pick(paths);
  const kinds: (() => string)[] = [
    () => change(path), () => change(path), () => change(path), () => change(path), () => change(path), () => change(path),
    () => {
      Reflect.deleteProperty(files, path);
      return `delete ${path}`;
    },
    () => {
      const to = near(path);
      files[to] = files[path]!;
      Reflect.deleteProperty(files, path);
      return `rename ${path} to ${to}`;
    },
    () => {
      const to = near(path);
      files[to] = files[path]!;
      return `copy ${path} to ${to}`;
    },
    () => {
      const other = pick(paths);
      [files[path], files[other]] = [files[other]!, files[path]!];
      return `swap ${path} and ${other}`;
    },
    () => {
      const [back] = [pick(Object.keys(original).sort())];
      files[back] = original[back]!;
      return `restore ${back}`;
    },
    () => {
      Object.assign(files, original);
      return "restore all that was there";
    },
    () => `${change(path)}; ${change(pick(paths))}`,
    () => renameAll(path),
  ];
  return inPlace ? pick([() => change(path), () => change(path), () => renameAll(path)])() : pick(kinds)();

  /** As an editor renames: everywhere. */
  function renameAll(of: string): string {
    const a = pick(identifiers(pick(declarations(of))));
    const b = roll(2) === 0 ? `${a}${roll(3)}` : pick(identifiers(pick(declarations(pick(paths)))));
    for (const other of paths) files[other] = files[other]!.replaceAll(new RegExp(`\\b${a}\\b`, "g"), b);
    return `${a} called ${b} everywhere`;
  }

  function identifiers(from: string): string[] {
    return from.match(/[A-Za-z_]\w{2,}/g) ?? ["xyz"];
  }

  function declarations(of: string): string[] {
    const found = files[of]!.split("\n").filter((line) => DECLARES.test(line));
    return found.length > 0 ? found : ["xyz"];
  }

  /** Another path: beside it, in another folder, or one that a file once had. */
  function near(of: string): string {
    const ending = of.slice(of.lastIndexOf("."));
    const gone = Object.keys(original).sort().filter((p) => !(p in files) && p.endsWith(ending));
    if (gone.length > 0 && roll(2) === 0) return pick(gone);
    const folders = [...new Set(paths.map((p) => p.slice(0, p.lastIndexOf("/") + 1)))];
    const base = of.slice(of.lastIndexOf("/") + 1);
    return `${pick([...folders, "extra/"])}${pick([base, `n${roll(3)}${ending}`, `index${ending}`])}`;
  }

  function change(of: string): string {
    const text = files[of]!;
    const lines = text.split("\n");
    const at = roll(lines.length);
    const others = paths.filter((p) => p.slice(p.lastIndexOf(".")) === of.slice(of.lastIndexOf(".")));
    const changes: (() => string)[] = [
      () => {
        lines.splice(at, 1);
        return "without a line";
      },
      () => {
        lines.splice(at, 0, "");
        return "with a blank line";
      },
      () => {
        lines.splice(at, 0, lines[roll(lines.length)]!);
        return "with a line twice";
      },
      () => {
        lines.splice(at, 0, pick(files[pick(others)]!.split("\n")));
        return "with a line of another";
      },
      () => {
        const a = pick(identifiers(text));
        const b = pick(identifiers(files[pick(paths)]!));
        lines.splice(0, lines.length, ...text.replaceAll(new RegExp(`\\b${a}\\b`, "g"), b).split("\n"));
        return `with ${a} called ${b}`;
      },
      () => {
        const a = pick(identifiers(lines[at]!));
        const b = pick(identifiers(files[pick(paths)]!));
        lines[at] = lines[at]!.replace(a, b);
        return `with ${b} for one ${a}`;
      },
      () => {
        lines.splice(0, lines.length, text.slice(0, roll(text.length + 1)));
        return "cut off";
      },
      () => {
        lines[at] = `${lines[at]!.slice(0, roll(20))}${pick(["{", "}", "(", ")", "\"", "/*", ":", "<", "=>"])}${lines[at]!.slice(20)}`;
        return "with a stray character";
      },
      () => {
        const exported = lines.findIndex((line) => line.startsWith("export "));
        if (exported >= 0 && roll(2) === 0) lines[exported] = lines[exported]!.slice("export ".length);
        else lines[at] = `export ${lines[at]!}`;
        return "with another export";
      },
      () => {
        const name = pick(identifiers(text));
        lines.push(of.endsWith(".py") ? `def added_${roll(5)}():\n    return ${name}()` : of.endsWith(".go") ? `func added${roll(5)}() { ${name}() }`
          : `export function added${roll(5)}() { return ${name}(); }`, "");
        return `with a function that calls ${name}`;
      },
      () => {
        const specifier = pick(others).replace(/\.\w+$/, "");
        const name = pick(identifiers(files[pick(others)]!));
        lines.unshift(of.endsWith(".py") ? `from ${specifier.replaceAll("/", ".")} import ${name}` : of.endsWith(".go") ? lines.shift()! : `import { ${name} } from "./${specifier}";`);
        return `with an import of ${name}`;
      },
      () => {
        const declared = lines.findIndex((line, i) => i >= at && DECLARES.test(line));
        if (declared < 0) return "as it was";
        const a = pick(identifiers(lines[declared]!));
        const b = pick(identifiers(pick(declarations(pick(others)))));
        lines[declared] = lines[declared]!.replace(a, b);
        return `with ${b} for ${a} in a declaration`;
      },
      () => {
        const inside = (path: string): string[] => files[path]!.split("\n").filter((_, i, all) => OPENS.test(all[i - 1] ?? ""));
        const members = others.flatMap(inside);
        const opens = lines.findIndex((line, i) => i >= at && OPENS.test(line));
        if (opens < 0 || members.length === 0) return "as it was";
        lines.splice(opens + 1, 0, pick(members));
        return "with a member of another type";
      },
      () => {
        // A declared type less: what it is follows from elsewhere.
        const typed = lines.findIndex((line, i) => i >= at && /\): [\w<>[\]]+ \{$/.test(line));
        if (typed < 0) return "as it was";
        lines[typed] = lines[typed]!.replace(/\): [\w<>[\]]+ \{$/, ") {");
        return "without a declared type";
      },
    ];
    const what = pick(changes)();
    files[of] = lines.join("\n");
    return `${of} ${what}`;
  }
}
