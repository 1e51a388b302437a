import { Op, type PyFacts } from "./facts.ts";

/** A field of a model that gives the records of another one an attribute: `author = ForeignKey(Author, related_name="books")`. */
export interface Relation {
  /** The attribute that the others get. */
  name: string;
  /** The class and its field. */
  cls: number;
  field: string;
  definition: number;
  /** It gives one record. */
  isOne: boolean;
}

const DECLARING = /(?:ForeignKey|OneToOneField|ManyToManyField|ParentalKey|^relationship)$/;

const known = new WeakMap<PyFacts, readonly Relation[]>();

/** The relations that a file's classes declare, by what they are called backwards. */
export function relationsIn(facts: PyFacts): readonly Relation[] {
  let found = known.get(facts);
  if (!found) known.set(facts, (found = facts.classes.flatMap((_, cls) => relationsOf(facts, cls))));
  return found;
}

/** The names of a module's classes that have a base, as models do. */
export function modelsIn({ classes, scopes, strings }: PyFacts): string[] {
  return classes.filter(({ bases, scope }) => bases.length > 0 && scopes[scope]!.parent === 0).map(({ name }) => strings[name]!);
}

function relationsOf(facts: PyFacts, cls: number): Relation[] {
  const { classes, nodes, scopes, strings } = facts;
  const { name, scope } = classes[cls]!;
  const model = strings[name]!.toLowerCase();
  return Object.entries(scopes[scope]!.names).flatMap(([field, definitions]) => definitions.flatMap((definition) => {
    const declaring = nodes[definition] === (Op.Call as number) ? calleeOf(facts, definition) : "";
    if (!DECLARING.test(declaring)) return [];
    const isOfDjango = declaring !== "relationship";
    const given = keyword(facts, definition, isOfDjango ? "related_name" : "backref");
    const isOne = declaring.endsWith("OneToOneField");
    const called = given?.replace("%(class)s", model) ?? (isOfDjango ? model + (isOne ? "" : "_set") : "");
    return /^\w+$/.test(called) ? [{ name: called, cls, field: strings[Number(field)]!, definition, isOne }] : [];
  }));
}

function calleeOf({ nodes, strings }: PyFacts, call: number): string {
  const callee = nodes[call + 1]!;
  switch (nodes[callee] as unknown as Op) {
    case Op.Attr: return strings[nodes[callee + 2]!]!;
    case Op.Name: case Op.Local: return strings[nodes[callee + 1]!]!;
    default: return "";
  }
}

/** The text that a call gives by a name: "" for anything else. */
function keyword({ nodes, strings }: PyFacts, call: number, name: string): string | undefined {
  const at = call + 3 + nodes[call + 2]!;
  for (let i = 0; i < nodes[at]!; i++) {
    if (strings[nodes[at + 1 + 2 * i]!] !== name) continue;
    const value = nodes[at + 2 + 2 * i]!;
    return nodes[value] === (Op.Str as number) || nodes[value] === (Op.Quoted as number) ? strings[nodes[value + 1]!]! : "";
  }
  return undefined;
}
