import type { EntryKind } from "../../facts.ts";
import { type MemberFact, type Offset, Op, type TypeFact } from "../classes/facts.ts";
import { newMember, type Unit } from "../classes/unit.ts";
import { Use } from "./functions.ts";
import { classNamed, type Doc } from "./types.ts";

/* What PHPUnit, Symfony, Laravel and WordPress run: by names in texts, comments and attributes, and by what classes and methods are called. */

/** `@dataProvider sums`, `#[DataProvider('sums')]`: what gives a test its arguments runs before it. */
export function provided(u: Unit, doc: Doc, attributes: string, node: number): void {
  const named = [...attributes.matchAll(/\bDataProvider\(\s*['"](\w+)['"]/g)].map(([, name]) => name!);
  for (const name of [...doc.providers, ...named]) if (name !== "") u.call(Op.Call, u.select(u.emit(Op.Self, u.within), name), [], node);
}

/** `getSubscribedEvents` (Symfony) and `subscribe` (Laravel) give the names of its class's methods that events run. */
export function subscribed(u: Unit, body: number): void {
  const { syntax } = u;
  for (let node = body + 1; node < syntax.next(body); node++) {
    const [, name] = syntax.kind(node) === "string" ? /^['"]([A-Za-z_]\w*)['"]$/.exec(syntax.text(node)) ?? [] : [];
    if (name !== undefined) u.use(u.emit(Op.Reference, u.emit(Op.Self, u.within), u.str(name)), node);
  }
}

const RELATION = /^\{?\s*return\s+\$this\s*->\s*(belongsTo(?:Many)?|has(?:One|Many)(?:Through)?|morph(?:One|Many|ToMany|edByMany))\s*\(\s*([\w\\]+)::class\b/;

/** The type of what a relation of Eloquent's gives, which its class has as a property, too; 0 for any other method. */
export function relation(u: Unit, type: TypeFact, name: string, symbol: number, body: number): Offset {
  const [, how, written] = RELATION.exec(u.syntax.text(body).slice(0, 300)) ?? [];
  if (how === undefined || written === undefined) return 0;
  const of = (): Offset => classNamed(u, written.replaceAll("\\", "."));
  if (!type.members.some((member) => member.kind === "field" && member.name === name)) {
    type.members.push({ ...newMember(name, "field", symbol), type: /Many/.test(how) ? u.named(".Collection", [of()]) : of() });
  }
  return u.named(`.${how[0]!.toUpperCase()}${how.slice(1)}`, [of()]);
}

const ACCESSOR = /^(get|set)([A-Z]\w*)Attribute$/;

/** Eloquent's accessors: the properties that a method stands for, as `full_name` for getFullNameAttribute or for a method fullName that gives an Attribute. */
export function accessors(u: Unit, type: TypeFact, { name, symbol, type: given }: MemberFact): void {
  if (symbol < 0 || (type.supers.length === 0 && type.kind !== "trait")) return;
  const [, how, of] = ACCESSOR.exec(name) ?? [];
  const isAttribute = u.code[given] === Op.Named && /^(?:.*\.)?Attribute$/.test(u.stringAt(u.code[given + 1]!));
  if (of === undefined && !isAttribute) return;
  const property = (of ?? name).replace(/(?<=[a-z\d])[A-Z]/g, "_$&").toLowerCase();
  if (how !== "set") type.members.push({ ...newMember(property, "field", symbol), type: isAttribute ? 0 : given });
  if (how !== "get") type.members.push(newMember(Use.Write + property, "field", symbol));
}

const ADDS = /^add_(?:action|filter)$/;
const RUNS = /^(?:do_action|apply_filters)(?:_ref_array|_deprecated)?$/;

/** WordPress: what is added to an action or filter is run by who calls that by its name. */
export function hooked(u: Unit, name: string, list: number, args: readonly Offset[], node: number): void {
  const adds = ADDS.test(name);
  if (!adds && !RUNS.test(name)) return;
  const { syntax } = u;
  const [first] = list ? syntax.children(list) : [];
  const [, hook] = (first !== undefined && /^['"]([\w.\/-]+)['"]$/.exec(syntax.text(first))) || [];
  if (hook === undefined) return;
  // A dot in a slot's name is for its parts.
  const slot = `hook ${hook.replaceAll(".", " ")}`;
  if (adds && args[1]) u.store(u.emit(Op.Keyed, u.str(slot), 0), args[1]);
  else if (!adds) u.call(Op.Call, u.emit(Op.Entry, 0, u.str(slot)), args.slice(1), node);
}

/** Classes of which Laravel or Symfony calls one method: commands, jobs, listeners, middleware, handlers of messages. */
const CALLED = /(?:Command|Job|Listener|Middleware|Handler)$/;
const CALLED_BASE = /^(?:Command|ShouldQueue|Middleware\w*|MessageHandlerInterface|RequestHandlerInterface)$/;
/** Where Laravel keeps them. */
const CALLED_FOLDER = /(?:^|\/)app\/(?:Console\/Commands|Http\/Middleware|Jobs|Listeners)\//;

/** Why control may enter at a method, if it may: PHPUnit, routes, controllers, what a framework calls. */
export function entryOf(u: Unit, node: number, name: string, type: TypeFact, doc: Doc): EntryKind | undefined {
  const { syntax } = u;
  const list = syntax.part(node, "attributes");
  const attributes = list ? syntax.text(list).slice(0, 1000) : "";
  if (/\bTest\b/.test(attributes) || ((/^test/.test(name) || doc.tags.has("test")) && /Test(?:Case)?$/.test(type.name))) return "test";
  if (/#\[.*\b(?:Route|Get|Post|Put|Delete|Patch)\b/s.test(attributes) || doc.tags.has("Route")) return "route";
  if (/\bAs(?:EventListener|MessageHandler)\b/.test(attributes)) return "handler";
  const hidden = syntax.child(node, "visibility_modifier");
  const visible = !hidden || /^public$/i.test(syntax.text(hidden));
  const called = CALLED.test(type.name) || CALLED_FOLDER.test(u.path) || u.superNames(type).some((base) => CALLED_BASE.test(base));
  if (called && type.kind === "class" && (visible || name === "execute") && /^(?:handle|execute|__invoke)$/.test(name)) return "handler";
  return /Controller$/.test(type.name) && visible && !syntax.child(node, "static_modifier") && (!name.startsWith("__") || name === "__invoke") ? "route" : undefined;
}
