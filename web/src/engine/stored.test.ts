import { describe, expect, test } from "vitest";
import { Collector } from "./collector.ts";
import { SLOT, type Language, type Project, type Slot, type Stores, type SymbolRef } from "./language.ts";
import { anchored, Relations, type ParsedFile } from "./relations.ts";
import { storedCalls, withStored } from "./stored.ts";

/** A file with so many functions, `f0`, `f1` …; `says` is what its resolution says of stored functions. */
function file(path: string, functions: number, says: (stores: Stores) => void = () => undefined): ParsedFile {
  const symbols = Array.from({ length: functions }, (_, i) => ({ kind: "Function", name: `f${i}`, parent: -1, line: i, startLine: i, endLine: i, exported: true }) as const);
  return anchored(path, { symbols, data: says, syntaxErrors: 0 });
}

const at = (symbol: number, file = 0): SymbolRef => ({ file, symbol });
const field = (owner: number, name = "done"): Slot => ({ owner: at(owner), name });

/** The calls of stored functions in one file of 300 functions, as `f1 f2 0.5 at 7`; undefined when they take too long. */
function called(says: (stores: Stores) => void): string[] | undefined {
  const files = [file("a", 300)];
  const { stores, byFile } = new Collector(files);
  says(stores);
  const all = storedCalls(files, byFile);
  return all && (all.get("a") ?? []).map(({ from, to, confidence, line, moreLines }) => (
    `f${from.symbol} f${to.symbol} ${confidence} at ${[line, ...moreLines ?? []].join()}`
  ));
}

describe("the functions that a call may run", () => {
  test("are those put into its slot, and into no other one", () => {
    expect(called(({ put, call }) => {
      put(0, field(0), at(1));
      put(0, field(0, "failed"), at(2));
      put(0, field(10), at(3));
      call(at(5), field(0), 7);
    })).toEqual(["f5 f1 0.5 at 7"]);
  });

  test("come from slot to slot, eight times and no further, and circles harm nobody", () => {
    const chain = (length: number): string[] | undefined => called(({ put, call }) => {
      put(0, field(0), at(1));
      for (let i = 0; i < length; i++) put(0, field(i + 1), field(i));
      for (let i = 0; i < length; i++) put(0, field(i), field(i + 1));
      call(at(5), field(length), 7);
    });
    expect(chain(8)).toEqual(["f5 f1 0.5 at 7"]);
    expect(chain(9)).toEqual([]);
  });

  test("without a name are told as those around them, but for what a parameter is given and for the caller itself", () => {
    const code = (symbol: number): Slot => ({ owner: at(symbol), name: SLOT.CODE });
    expect(called(({ put, call }) => {
      put(0, field(0), code(1));
      put(0, { owner: at(2), name: "0" }, code(1));
      put(0, { owner: at(2), name: "0" }, at(3));
      put(0, { owner: at(2), name: "=done" }, code(1));
      put(0, field(0), code(6));
      // What such a function gives is most often another function of the same code.
      put(0, field(4), { owner: at(0), name: "done.()" });
      call(at(5), field(0), 7);
      call(at(6), field(0), 8);
      call(at(2), { owner: at(2), name: "0" }, 9);
      call(at(2), { owner: at(2), name: "=done" }, 10);
      call(at(7), field(4), 11);
    })).toEqual(["f5 f1 0.5 at 7", "f5 f6 0.5 at 7", "f6 f1 0.5 at 8", "f2 f3 0.5 at 9", "f7 f1 0.5 at 11", "f7 f6 0.5 at 11"]);
  });

  test("of a field without an owner are those of every field of the name, each of which keeps its own", () => {
    expect(called(({ put, call }) => {
      put(0, field(0), at(1));
      put(0, field(10), at(2));
      put(0, { name: "done" }, at(3));
      call(at(5), { name: "done" }, 7);
      call(at(6), field(0), 8);
      call(at(7), field(20), 9);
    })).toEqual(["f5 f1 0.5 at 7", "f5 f2 0.5 at 7", "f5 f3 0.5 at 7", "f6 f1 0.5 at 8", "f6 f3 0.5 at 8", "f7 f3 0.5 at 9"]);
  });

  test("that another field holds stay apart from those of other types when both are read without an owner", () => {
    expect(called(({ put, call }) => {
      put(0, field(0), at(1));
      put(0, { name: "done" }, { name: "done" });
      put(0, field(20, "kept"), { name: "done" });
      call(at(5), field(20, "kept"), 7);
    })).toEqual(["f5 f1 0.5 at 7"]);
  });

  test.each(["0", "", "()", ":done"])("of a slot called %o without an owner are none of one that has an owner", (name) => {
    expect(called(({ put, call }) => {
      put(0, field(0, name), at(1));
      put(0, { name }, at(2));
      call(at(5), { name }, 7);
      call(at(6), field(0, name), 8);
    })).toEqual(["f5 f2 0.5 at 7", "f6 f1 0.5 at 8"]);
  });

  test("are given what calls of their slot pass", () => {
    expect(called(({ put, call }) => {
      put(0, field(0), at(1));
      put(0, field(0, "done.(1)"), at(2));
      put(0, field(0, "done.(1)"), field(3, "0"));
      put(0, field(3, "0"), at(4));
      call(at(1), field(1, "1"), 7);
      call(at(1), field(1, "0"), 8);
    })).toEqual(["f1 f2 0.5 at 7", "f1 f4 0.5 at 7"]);
  });

  test("may have no name, and be given something nevertheless", () => {
    expect(called(({ put, call }) => {
      put(0, field(0), { owner: at(-1), name: `(7)${SLOT.FUNCTION}` });
      put(0, field(0, "done.(0)"), at(2));
      call(at(5), { owner: at(-1), name: "(7)0" }, 7);
      call(at(6), { owner: at(-1), name: "(8)0" }, 8);
      call(at(9), field(0), 9);
    })).toEqual(["f5 f2 0.5 at 7"]);
  });

  test("of a member are those of the objects that come there, whatever their classes inherit", () => {
    expect(called(({ put, call }) => {
      put(0, field(10, "send"), at(11));
      put(0, field(12, "type"), at(13));
      put(0, field(10, SLOT.BASE), at(12));
      put(0, field(0, "0"), field(10, SLOT.OBJECT));
      put(0, field(14, "send"), at(15));
      call(at(5), field(0, "0.send"), 7);
      call(at(5), field(0, "0.type"), 8);
    })).toEqual(["f5 f11 0.5 at 7", "f5 f13 0.5 at 8"]);
  });

  test("of what a stored class makes, or a stored function gives, are found", () => {
    expect(called(({ put, call }) => {
      put(0, field(10, "send"), at(11));
      put(0, field(0, "made"), at(10));
      put(0, field(3, "0"), field(0, "made.new()"));
      call(at(3), field(3, "0.send"), 7);
      put(0, field(20, "()"), at(21));
      put(0, field(0, "make"), at(20));
      call(at(4), field(0, "make.()"), 8);
    })).toEqual(["f3 f11 0.5 at 7", "f4 f21 0.5 at 8"]);
  });

  test.each([[8, 8, "0.5"], [9, 9, "0.3"], [100, 100, "0.3"], [101, 0, ""]])("are less likely each when there are %i of them", (count, found, confidence) => {
    const calls = called(({ put, call }) => {
      for (let i = 0; i < count; i++) put(0, field(0), at(i));
      call(at(200), field(0), 7);
    });
    expect(calls).toHaveLength(found);
    for (const one of calls!) expect(one).toContain(` ${confidence} at`);
  });

  test("are otherwise one of many of the type that is called, and beside what a parameter is given", () => {
    const type: Slot = { name: `${SLOT.TYPE}1` };
    expect(called(({ put, call }) => {
      put(0, type, at(1));
      put(0, type, at(2));
      put(0, field(0), at(2));
      put(0, { owner: at(4), name: "0" }, at(2));
      call(at(3), field(0, "failed"), 7, type);
      call(at(4), { owner: at(4), name: "0" }, 8, type);
      call(at(5), field(0), 9, type);
      call(at(6), type, 10);
    })).toEqual(["f3 f1 0.3 at 7", "f3 f2 0.3 at 7", "f4 f2 0.5 at 8", "f4 f1 0.3 at 8", "f5 f2 0.5 at 9", "f6 f1 0.3 at 10", "f6 f2 0.3 at 10"]);
  });

  test("that reach a slot by two ways are one, and one call has the lines of all sites", () => {
    expect(called(({ put, call }) => {
      put(0, field(0), at(1));
      put(0, field(0), at(1));
      put(0, field(0), field(10));
      put(0, field(10), at(1));
      call(at(5), field(0), 7);
      call(at(5), field(10), 9);
    })).toEqual(["f5 f1 0.5 at 7,9"]);
  });

  test("are none where working them out takes more than any honest code does, which is told", () => {
    const says = (slots: number) => ({ put, call }: Stores): void => {
      for (let i = 0; i < 90; i++) put(0, { name: "done" }, at(i));
      for (let i = 0; i < slots; i++) put(0, { owner: at(i % 300), name: `n${i}` }, { name: "done" });
      call(at(5), { owner: at(0), name: "n0" }, 7);
    };
    expect(called(says(1_000))).toHaveLength(90);
    expect(called(says(90_000))).toBeUndefined();
    const relations = new Relations({ id: "said", resolve: ({ files: [only] }, _, __, ___, stores) => (only!.facts.data as ReturnType<typeof says>)(stores!) } as Language);
    const failures = (slots: number): readonly unknown[] => {
      relations.update([file("a", 300, says(slots))], new Set(), () => undefined);
      return relations.failures;
    };
    expect(failures(90_000)).toEqual([{ reason: "calls of functions that were stored are missing in said, since working them out takes too long" }]);
    expect(failures(1_000)).toEqual([]);
  });

  test("are those of the files that people write, where a bundle's take too long", () => {
    const bundle = ({ put }: Stores): void => {
      for (let i = 0; i < 90; i++) put(1, { name: "t" }, { file: 1, symbol: i });
      for (let i = 0; i < 90_000; i++) put(1, { owner: { file: 1, symbol: i % 300 }, name: `n${i}` }, { name: "t" });
    };
    const own = ({ put, call }: Stores): void => {
      put(0, { owner: at(0), name: "done" }, at(1));
      call(at(2), { owner: at(0), name: "done" }, 7);
    };
    const relations = new Relations({ id: "said", resolve: ({ files }, _, __, ___, stores) => {
      for (const { facts } of files) (facts.data as (stores: Stores) => void)(stores!);
    } } as Language);
    const made = file("b", 300, bundle);
    relations.update([file("a", 300, own), { ...made, facts: { ...made.facts, generated: true } }], new Set(), () => undefined);
    expect(relations.failures).toEqual([{ reason: "calls of functions that were stored are missing in the generated files of said, since working them out takes too long" }]);
    expect(relations.of("a").map(({ type, line }) => [type, line])).toEqual([["CALLS", 7]]);
  });
});

describe("of the objects and functions in a slot, parts are", () => {
  /** The calls in a file of classes with a method `run` each and functions of tests and others, as `Class.run` or names. */
  function within(says: (stores: Stores, emit: Collector["emit"]) => void): string[] {
    const symbol = (kind: "Class" | "Method" | "Function", name: string, parent = -1): object => ({ kind, name, parent, line: 1, startLine: 1, endLine: 1, exported: true });
    const own = anchored("a.py", { symbols: [
      symbol("Class", "Base"), symbol("Method", "run", 0), symbol("Class", "Heir"), symbol("Method", "stop", 2), symbol("Function", "give"), symbol("Function", "take"),
    ] as never, data: undefined, syntaxErrors: 0 });
    const tests = anchored("tests/test_a.py", { symbols: [symbol("Function", "test"), symbol("Function", "handler")] as never, data: undefined, syntaxErrors: 0 });
    const { stores, emit, byFile } = new Collector([own, tests]);
    emit("EXTENDS", HEIR, BASE, 1, 1);
    says(stores, emit);
    const name = ({ path, symbol }: { path: string; symbol: number }): string => (path === "a.py" ? own : tests).facts.symbols[symbol]!.name;
    return [...storedCalls([own, tests], byFile)!.values()].flat().map(({ from, to }) => `${name(from)} ${name(to)}`).sort();
  }
  const [BASE, HEIR, GIVE, TAKE, HANDLER] = [at(0), at(2), at(4), at(5), at(1, 1)];
  const object = (owner: SymbolRef): Slot => ({ owner, name: SLOT.OBJECT });
  const part = ({ owner, name }: Slot, of: string): Slot => ({ owner: owner!, name: `${name}.${of}` });
  const parameter = (owner: SymbolRef, name = "0"): Slot => ({ owner, name });

  test("the methods that its class and what that extends have", () => {
    expect(within(({ put, call }) => {
      put(0, parameter(GIVE), object(HEIR));
      call(GIVE, part(parameter(GIVE), "run"), 7);
      call(GIVE, part(parameter(GIVE), "stop"), 7);
    })).toEqual(["give run", "give stop"]);
  });

  test("and the fields that objects share with what their classes derive from", () => {
    expect(within(({ put, call }) => {
      put(0, { owner: BASE, name: "next" }, object(BASE));
      put(0, parameter(TAKE), object(HEIR));
      put(0, part(parameter(TAKE), "(next)"), object(HEIR));
      call(GIVE, part({ owner: BASE, name: "next" }, "stop"), 7);
      call(TAKE, part(part(parameter(TAKE), "next"), "run"), 7);
    })).toEqual(["give stop", "take run"]);
  });

  test("and fields that nothing but what holds an object fills", () => {
    expect(within(({ put, call }) => {
      put(0, parameter(TAKE), object(HEIR));
      put(0, part(parameter(TAKE), "(next)"), HANDLER);
      put(0, parameter(GIVE), object(HEIR));
      call(GIVE, part(parameter(GIVE), "next"), 7);
    })).toEqual(["give handler"]);
  });

  test("a class makes objects, and on each the methods of all above run", () => {
    expect(within(({ put, call }) => {
      put(0, parameter(GIVE), HEIR);
      put(0, parameter(TAKE), part(parameter(GIVE), "()"));
      call(TAKE, part(parameter(TAKE), "stop"), 7);
      call(GIVE, part({ owner: BASE, name: SLOT.SELF }, "stop"), 7);
    })).toEqual(["give stop", "take stop"]);
  });

  test("a function is given what calls of it pass, and one that only is given something, too", () => {
    expect(within(({ put, call }) => {
      put(0, parameter(GIVE), TAKE);
      put(1, parameter(GIVE), { owner: HANDLER, name: SLOT.FUNCTION });
      call(GIVE, parameter(GIVE), 7);
      put(0, part(parameter(GIVE), "(0)"), object(BASE));
      for (const by of [TAKE, HANDLER]) call(by, part(parameter(by), "run"), 8);
    })).toEqual(["give take", "handler run", "take run"]);
  });
});

test("a call of a stored function takes the place of a guess, and never that of something as sure, which gets its lines", () => {
  const { self, symbols } = file("a", 4);
  const relation = (to: number, confidence: number, line: number): Parameters<typeof withStored>[0][number] => ({ type: "CALLS", from: self, to: symbols[to]!, confidence, line });
  const all = withStored([relation(0, 0.6, 1), relation(1, 0.4, 2), { ...relation(2, 1, 3), type: "REFERENCES" }], [relation(0, 0.5, 7), relation(1, 0.5, 8), relation(2, 0.5, 9)]);
  expect(all.map(({ type, to, confidence, line, moreLines = [] }) => `${type} f${to.symbol} ${confidence} at ${[line, ...moreLines].join()}`)).toEqual([
    "CALLS f0 0.6 at 1,7", "CALLS f1 0.5 at 8,2", "REFERENCES f2 1 at 3", "CALLS f2 0.5 at 9",
  ]);
});

describe("when one file changes, others are the files whose calls are others", () => {
  /** A resolver that says what the facts do. */
  const language = {
    id: "said",
    resolve: ({ files }: Project<(stores: Stores) => void>, _, only, __, stores) => {
      files.forEach(({ facts }, i) => {
        if (!only || only.has(i)) facts.data(stores!);
      });
    },
    affected: (_, __, changed) => changed,
  } as Language<(stores: Stores) => void> as Language;
  const owner = at(0);
  const calls = file("calls", 1, ({ call }) => {
    call(at(0), { owner, name: "done" }, 7);
  });
  const other = file("other", 1, ({ put, call }) => {
    put(1, { owner, name: "failed" }, at(0, 1));
    call(at(0, 1), { owner, name: "failed" }, 7);
  });
  const puts = (symbol?: number): ParsedFile => file("puts", 2, ({ put }) => {
    if (symbol !== undefined) put(2, { owner, name: "done" }, at(symbol, 2));
  });
  const update = (relations: Relations, last: ParsedFile, before?: ParsedFile): (string | undefined)[] => {
    const now = before ? anchored("puts", last.facts, before) : last;
    relations.update([calls, other, now], new Set(), () => undefined, before && { own: new Set(["puts"]), paths: [], contents: [] });
    return [relations.redonePaths && [...relations.redonePaths].sort().join(), relations.of("calls").map(({ to }) => `${to.path} ${to.symbol}`).join()];
  };

  test.each([
    [0, 1, "calls,puts", "puts 1"],
    [0, undefined, "calls,puts", ""],
    [undefined, 1, "calls,puts", "puts 1"],
    [1, 1, "puts", "puts 1"],
  ])("f%s was put, and now f%s", (first, then, redone, found) => {
    const relations = new Relations(language);
    const before = puts(first);
    expect(update(relations, before)).toEqual([undefined, first === undefined ? "" : `puts ${first}`]);
    expect(update(relations, puts(then), before)).toEqual([redone, found]);
    expect(relations.redone).toBe(1);
  });

  test("what was kept says the same", () => {
    const relations = new Relations(language);
    const before = puts(0);
    update(relations, before);
    const again = new Relations(language);
    again.restore([calls, other, before], new Set(), relations.keep());
    expect(again.of("calls")).toEqual(relations.of("calls"));
    expect(update(again, puts(0), before)).toEqual(["puts", "puts 0"]);
  });
});
