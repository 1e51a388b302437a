/** Build constraints: which files are ever built together, and which are in the build that most people run. */

const SYSTEMS = new Set(
  "aix android darwin dragonfly freebsd hurd illumos ios js linux nacl netbsd openbsd plan9 solaris wasip1 windows zos".split(" "),
);
const UNIX = new Set("aix android darwin dragonfly freebsd hurd illumos ios linux netbsd openbsd solaris".split(" "));
const MACHINES = new Set(
  "386 amd64 amd64p32 arm armbe arm64 arm64be loong64 mips mipsle mips64 mips64le mips64p32 mips64p32le ppc ppc64 ppc64le riscv riscv64 s390 s390x sparc sparc64 wasm".split(" "),
);

type Test = (tag: string) => boolean;

export interface Constraint {
  /** Equal sources have equal constraints; "" is always built. */
  source: string;
  tags: readonly string[];
  holds: (on: Test) => boolean;
}

const ALWAYS: Constraint = { source: "", tags: [], holds: () => true };
/** More free tags than this are not tried out. */
const MAX_FREE = 8;

/** The constraint of a file: what its name says (`_linux_test.go`) and what its `//go:build` line says. */
export function constraintOf(path: string, line: string): Constraint {
  const name = path.slice(path.lastIndexOf("/") + 1).replace(/\.go$/, "").replace(/_test$/, "");
  const parts = name.split("_").slice(1);
  const last = parts.at(-1) ?? "";
  const terms: string[] = [];
  if (MACHINES.has(last)) {
    terms.push(last);
    if (SYSTEMS.has(parts.at(-2) ?? "")) terms.push(parts.at(-2)!);
  } else if (SYSTEMS.has(last)) {
    terms.push(last);
  }
  if (line) terms.push(`(${line})`);
  if (terms.length === 0) return ALWAYS;
  const source = terms.join(" && ");
  return { source, ...parse(source) };
}

/** A small recursive reader of `!a && (b || c)`; what it cannot read always holds. */
function parse(source: string): Omit<Constraint, "source"> {
  const tokens = source.match(/&&|\|\||[!()]|[\w.]+/g) ?? [];
  const tags = new Set<string>();
  let at = 0;
  const or = (): ((on: Test) => boolean) => {
    const options = [and()];
    while (tokens[at] === "||") {
      at++;
      options.push(and());
    }
    return options.length === 1 ? options[0]! : (on) => options.some((o) => o(on));
  };
  const and = (): ((on: Test) => boolean) => {
    const parts = [not()];
    while (tokens[at] === "&&") {
      at++;
      parts.push(not());
    }
    return parts.length === 1 ? parts[0]! : (on) => parts.every((p) => p(on));
  };
  const not = (): ((on: Test) => boolean) => {
    const token = tokens[at++];
    if (token === "!") {
      const inner = not();
      return (on) => !inner(on);
    }
    if (token === "(") {
      const inner = or();
      if (tokens[at] === ")") at++;
      return inner;
    }
    if (token === undefined || !/^[\w.]+$/.test(token)) return () => true;
    tags.add(token);
    return (on) => on(token);
  };
  const holds = or();
  return { tags: [...tags], holds };
}

function world(system: string, machine: string, free: ReadonlySet<string>): Test {
  return (tag) =>
    tag === system || tag === machine || free.has(tag) || tag === "gc" || /^go1\.\d+$/.test(tag) ||
    (tag === "unix" && UNIX.has(system)) || (tag === "linux" && system === "android") || (tag === "darwin" && system === "ios");
}

const usual = world("linux", "amd64", new Set(["cgo"]));

/** True when the file is part of a plain build on Linux. */
export function isUsual(constraint: Constraint): boolean {
  return constraint.holds(usual);
}

const known = new Map<string, boolean>();

/** True when some build has both. */
export function buildTogether(a: Constraint, b: Constraint): boolean {
  if (a.source === "" || b.source === "" || a.source === b.source) return true;
  const key = `${a.source}\n${b.source}`;
  let answer = known.get(key);
  if (answer === undefined) {
    answer = search(a, b);
    known.set(key, answer);
  }
  return answer;
}

function search(a: Constraint, b: Constraint): boolean {
  const tags = new Set([...a.tags, ...b.tags]);
  const systems = [...[...tags].filter((t) => SYSTEMS.has(t)), "linux", "darwin", "windows", "plan9"];
  const machines = [...[...tags].filter((t) => MACHINES.has(t)), "amd64", "arm64", "386", "wasm"];
  const free = [...tags].filter((t) => !SYSTEMS.has(t) && !MACHINES.has(t) && t !== "unix" && t !== "gc" && !/^go1\.\d+$/.test(t));
  if (free.length > MAX_FREE) return true;
  for (const system of new Set(systems)) {
    for (const machine of new Set(machines)) {
      for (let bits = 0; bits < 1 << free.length; bits++) {
        const on = world(system, machine, new Set(free.filter((_, i) => bits & (1 << i))));
        if (a.holds(on) && b.holds(on)) return true;
      }
    }
  }
  return false;
}
