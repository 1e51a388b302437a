/** What classes, and those above them, run around their methods for requests: Rails' `before_action`, Laravel's `$this->middleware`, decorators of views. */
import type { FilterFact, RouteFact } from "./facts.ts";
import { headOf } from "./languages/records.ts";
import type { Anchor, ParsedFile, Relation } from "./relations.ts";

const SEPARATOR = " → ";
/** Classes above a class that are looked at. */
const MAX_ABOVE = 20;

export class ClassFilters {
  private readonly lines = new Map<Anchor, readonly Anchor[]>();
  private readonly linesFromAbove = new Map<Anchor, readonly Anchor[]>();

  constructor(private readonly file: (path: string) => ParsedFile | undefined, private readonly relations: (path: string) => readonly Relation[]) {}

  /** Whether it is a class. */
  has({ path, symbol }: Anchor): boolean {
    const kind = symbol < 0 ? undefined : this.file(path)?.facts.symbols[symbol]?.kind;
    return kind === "Class" || kind === "Struct";
  }

  /** A class, and the classes and modules above it, nearer ones first. */
  above(cls: Anchor): readonly Anchor[] {
    const known = this.lines.get(cls);
    if (known) return known;
    const line = [cls];
    this.lines.set(cls, line);
    for (let i = 0; i < line.length && i < MAX_ABOVE; i++) {
      for (const { type, from, to } of this.relations(line[i]!.path)) if ((type === "EXTENDS" || type === "IMPLEMENTS") && from === line[i] && to.symbol >= 0 && !line.includes(to)) line.push(to);
    }
    return line;
  }

  /** A class behind those above it, and behind the modules that it includes, in the order in which what they say takes effect. */
  private fromAbove(cls: Anchor): readonly Anchor[] {
    let line = this.linesFromAbove.get(cls);
    if (!line) this.linesFromAbove.set(cls, (line = this.lineFromAbove(cls, new Set())));
    return line;
  }

  private lineFromAbove(cls: Anchor, passed: Set<Anchor>): Anchor[] {
    if (passed.has(cls) || passed.size >= MAX_ABOVE) return [];
    passed.add(cls);
    const above = this.relations(cls.path).filter(({ type, from, to }) => (type === "EXTENDS" || type === "IMPLEMENTS") && from === cls && to.symbol >= 0);
    // Of classes above in Python the first says the last word; in Ruby a module that is included says it after the class above.
    const inOrder = cls.path.endsWith(".py") ? above.toReversed() : above.toSorted((a, b) => a.line - b.line);
    return [...inOrder.flatMap(({ to }) => this.lineFromAbove(to, passed)), cls];
  }

  /** The filters of a method, a class that is a handler, or a function, in their order, with the files that say them. A class may say one anew that is said above it. */
  around({ path, symbol }: Anchor): { path: string; filter: FilterFact }[] {
    const file = this.file(path)!;
    const { name: action, parent } = file.facts.symbols[symbol]!;
    const anchor = file.symbols[symbol]!;
    const cls = this.has(anchor) ? anchor : file.symbols[parent];
    let found: { path: string; filter: FilterFact }[] = [];
    /** What said the list that holds, by its name: a class, or its method. */
    const lists = new Map<string, string>();
    // Above a function is nothing.
    for (const at of cls ? this.fromAbove(cls) : [anchor]) {
      for (const filter of this.file(at.path)?.facts.filters ?? []) {
        if (filter.symbol !== at.symbol) continue;
        // Rails takes the last word for a name, also for the actions that it is not for any more.
        if (at.path.endsWith(".rb") && !filter.skips && !filter.code.inline) found = found.filter(({ filter: { code, after } }) => code.text !== filter.code.text || after !== filter.after);
        if (filter.except?.includes(action) || filter.only?.includes(action) === false) continue;
        const said = `${at.id} ${filter.only?.join() ?? ""}`;
        if (filter.list !== undefined && lists.get(filter.list) !== said) {
          lists.set(filter.list, said);
          found = found.filter((one) => one.filter.list !== filter.list);
        }
        if (filter.skips) found = found.filter((one) => one.filter.code.text !== filter.code.text);
        else if (filter.first) found.unshift({ path: at.path, filter });
        else found.push({ path: at.path, filter });
      }
    }
    return found;
  }

  /** The signatures of the routes of a file, by their index in its symbols, with what the classes of their handlers run before these. */
  signatures({ path, symbols, facts }: ParsedFile, signatureOf: (route: number) => string): Map<number, string> {
    const handlers = new Map<Anchor, Anchor[]>();
    for (const { type, from, to } of this.relations(path)) if (type === "HANDLES" && to.symbol >= 0) handlers.set(from, [...handlers.get(from) ?? [], to]);
    const found = new Map<number, string>();
    facts.symbols.forEach(({ route }, i) => {
      const all = route ? handlers.get(symbols[i]!) : undefined;
      const handler = all && this.handlerOf(route!, all, symbols);
      if (!handler) return;
      const parts = signatureOf(i).split(SEPARATOR);
      // A class that is a view answers by its methods of the names of HTTP's.
      const method = this.has(handler) ? all.find((one) => this.nameOf(one) === parts[0]!.split(" ", 1)[0]!.toLowerCase() && this.isIn(one, handler)) : undefined;
      const before = [handler, ...(method ? [method] : [])].flatMap((one) => this.around(one)).flatMap(({ filter: { after, code } }) => (after ? [] : [code.text]));
      const texts = [...new Set(before)].filter((text) => !parts.includes(text));
      if (parts.length > 1 && texts.length > 0) found.set(i, headOf([...parts.slice(0, -1), ...texts, parts.at(-1)!].join(SEPARATOR)));
    });
    return found;
  }

  /** What answers, among all that a route runs. */
  private handlerOf({ symbol, named, handler }: RouteFact, all: readonly Anchor[], symbols: readonly Anchor[]): Anchor | undefined {
    if (symbol !== undefined) return symbols[symbol];
    const names = named ? [named.name] : handler?.names ?? [];
    return all.find((one) => names.includes(this.nameOf(one)));
  }

  private nameOf({ path, symbol }: Anchor): string {
    return this.file(path)?.facts.symbols[symbol]?.name ?? "";
  }

  private isIn(method: Anchor, cls: Anchor): boolean {
    return method.path === cls.path && this.file(method.path)!.facts.symbols[method.symbol]!.parent === cls.symbol;
  }
}
