/** What `derive` runs without a name: the same trait of the fields' types. */
import { type FieldFact, type Offset, Op, type TypeFact } from "../facts.ts";
import { implied } from "./implied.ts";
import type { Unit } from "./unit.ts";

const METHODS: Readonly<Record<string, string>> = {
  Default: "default", Clone: "clone", PartialEq: "eq", PartialOrd: "partial_cmp", Ord: "cmp", Hash: "hash", Debug: "fmt",
};
/** Types of the library whose own trait runs that of what is in them; of these the ones that are made with a value, and the ones that are cloned without it. */
const HOLDERS = /^(?:Option|Vec|VecDeque|Box|Result|HashMap|BTreeMap|HashSet|BTreeSet|RefCell|Rc|Arc)$/;
const FILLED = /^(?:Box|RefCell|Rc|Arc)$/;
const SHARED = /^(?:Rc|Arc)$/;
/** Fields of a type that are looked at. */
const MAX_FIELDS = 200;
const MAX_DEPTH = 5;

/** Records what the traits that are derived for a type run of its fields. */
export function derived(u: Unit, node: number, { fields, variants }: TypeFact): void {
  const { syntax } = u;
  for (let at = node - 1; at > 0 && syntax.kind(at) === "attribute_item"; at--) {
    const list = /^#\[\s*derive\s*\(([^)]*)\)/.exec(syntax.text(at))?.[1];
    if (list === undefined) continue;
    const traits = list.split(",").map((path) => /\w+(?=\s*$)/.exec(path)?.[0] ?? "");
    for (const trait of traits) {
      const method = METHODS[trait];
      // What is copied is cloned by that.
      if (!method || (trait === "Clone" && traits.includes("Copy"))) continue;
      // The default of an enum is one of its variants that have no fields.
      const all: readonly FieldFact[] = trait === "Default" ? fields : [...fields, ...variants.flatMap((variant) => variant.fields)];
      for (const { type } of all.slice(0, MAX_FIELDS)) of(u, at, trait, method, type, 0);
    }
  }
}

function of(u: Unit, node: number, trait: string, method: string, type: Offset, depth: number): void {
  const { code, strings } = u;
  if (type === 0 || depth > MAX_DEPTH) return;
  const inner = (parts: readonly Offset[]): void => {
    for (const part of parts) of(u, node, trait, method, part, depth + 1);
  };
  if (code[type] === Op.Reference) {
    if (trait !== "Clone") inner([code[type + 2]!]);
  } else if (code[type] === Op.Built) {
    if (/^(?:\(\)|\[\])$/.test(strings[code[type + 1]!]!)) inner(code.slice(type + 3, type + 3 + code[type + 2]!));
  } else if (code[type] === Op.Path) {
    const name = strings[code[type + 2]!]!;
    if (HOLDERS.test(name)) {
      if (trait === "Default" ? FILLED.test(name) : !(trait === "Clone" && SHARED.test(name))) inner(code.slice(type + 5, type + 5 + code[type + 4]!));
      return;
    }
    const value = u.emit(Op.Value, type);
    implied(u, node, [trait, method], value, value);
  }
}
