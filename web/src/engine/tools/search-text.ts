/** What search answers a question with, as text: each result in a line and what is said of it below, the hits named behind them by file. */

type Named = Record<string, string[]>;

interface Result {
  id: string;
  line?: number;
  lines: string;
  signature?: string;
  doc?: string;
  processes?: string[];
  connections: number;
  test?: boolean;
  origin?: string;
  namesakes?: Named;
}

export interface SearchAnswer {
  results: Result[];
  groups?: { id: string; label: string; ranks: number[] }[];
  clusters?: Record<string, number[]>;
  others: Named;
  total: number;
  more?: number;
  rest?: string;
  note?: string;
}

export function searchText({ results, groups, clusters, others, total, more, rest, note }: SearchAnswer): string {
  return [
    "results: id (lines; connections)",
    ...results.flatMap(resultLines),
    ...groups ? ["", "groups:", ...groups.map(({ id, label, ranks }) => `${id} ${label}: ${ranks.join(",")}`)] : [],
    ...clusters ? ["", "clusters:", ...Object.entries(clusters).map(([label, ranks]) => `${label}: ${ranks.join(",")}`)] : [],
    "", "others, .x being of the type before it:",
    ...named(others),
    "", `${total} in all${more === undefined ? "" : `, ${more} more${rest === undefined ? "" : `: ${rest}`}`}`,
    ...note === undefined ? [] : [note],
  ].join("\n");
}

function resultLines({ id, line, lines, signature, doc, processes, connections, test, origin, namesakes }: Result, at: number): string[] {
  const marks = [line === undefined ? undefined : `at ${line}`, test ? "test" : undefined, origin].filter((mark) => mark !== undefined);
  return [
    `${at + 1} ${id} (${[`${lines}; ${connections}`, ...marks].join("; ")})`,
    ...[signature && withoutName(signature, id), doc].filter((text) => text !== undefined),
    ...processes ? [`processes: ${processes.join(", ")}`] : [],
    ...namesakes ? ["also:", ...named(namesakes)] : [],
  ];
}

/** Without the keyword and the name that the id above it tells: `def load(key)` is `(key)`. */
function withoutName(signature: string, id: string): string {
  const [, name, rest] = /^(?:(?:def|func|function|fn) )?([\w$]+)([(<[].*)$/s.exec(signature) ?? [];
  return rest !== undefined && (id.endsWith(`:${name}`) || id.endsWith(`.${name}`)) ? rest : signature;
}

/** A file a line, members of one type behind it: `src/a.ts: Store:3 .load:12 .save:30 open:4`. */
function named(byFile: Named): string[] {
  return Object.entries(byFile).map(([file, names]) => `${file}: ${membersTogether(names).join(" ")}`);
}

function membersTogether(names: readonly string[]): string[] {
  const types = new Map<string, { self: string[]; members: string[] }>();
  for (const name of names) {
    const [, owner, member] = /^([^:\s]+)(\.[^.:\s]+:\d+)$/.exec(name) ?? [];
    const type = owner ?? name.slice(0, name.lastIndexOf(":"));
    let known = types.get(type);
    if (!known) types.set(type, (known = { self: [], members: [] }));
    if (member === undefined) known.self.push(name);
    else known.members.push(member);
  }
  return [...types].flatMap(([type, { self, members: [first, ...further] }]) => [...self, ...first === undefined ? [] : [self.length > 0 ? first : type + first], ...further]);
}
