import type { Member } from "./classes.ts";
import { boundInBody, findMember, inherits, isEnum, mroOf, opOf, typeVarsOf } from "./classes.ts";
import type { Evaluator } from "./evaluate.ts";
import { SURE } from "./evaluate.ts";
import { externalAttribute, isValue, MADE } from "./externals.ts";
import { FunctionFlag, Op } from "./facts.ts";
import { resultOf } from "./function-types.ts";
import { COMMON } from "./names.ts";
import type { Callable, Cls } from "./program.ts";
import { META, ORDER } from "./questions.ts";
import { attributeOfOwnQueries, boundToQueries, isQueries, managersOf, QUERIES, queriesOf } from "./records.ts";
import type { Type } from "./types.ts";
import { EXTERNAL, UNKNOWN, classBehind, classOf, ext, instanceOf, isMadeProperty, isOpen, itemsOf, substitute, union } from "./types.ts";

/** The type of `object.name`. */
export function attributeOf(e: Evaluator, object: Type, name: string): Type {
  switch (object.k) {
    case "union": {
      const types = object.items.filter((t) => t.k !== "none").map((t) => attributeOf(e, t, name));
      return union(types);
    }
    case "module": return memberOfModule(e, { file: object.file }, name);
    case "folder": return memberOfModule(e, { folder: object.folder }, name);
    case "extobj": return { k: "extobj", name: `${object.name}.${name}` };
    case "ext": return ofQueries(e, object, name) ?? ofMade(e, object, name) ?? externalAttribute(object, name);
    case "extmethod": return object.of.name === MADE ? { ...object, name } : EXTERNAL;
    case "tuple": return EXTERNAL;
    case "inst": case "class": case "super": case "var": break;
    default: return UNKNOWN;
  }
  if (name === "__class__") return classOf(object);
  if (name === "__subclasses__") return { k: "callable", result: ext("list", subclassesOf(e, object)) };
  const member = memberOf(e, object, name);
  // object's own: makes an instance without running the constructor.
  if (name === "__new__" && (!member || "k" in member)) return { k: "callable", result: instanceOf(object.k === "super" ? object.self : object) };
  if (!member) {
    const heirs = mixedIn(e, object, name);
    if (heirs.length > 0) e.weaken(SURE.possible);
    return heirs.length > 0 ? union(heirs.map((heir) => attributeOf(e, heir, name))) : dynamicAttribute(e, object, name);
  }
  if ("k" in member) return member.k === "ext" ? ofOutside(e, object, member, name) : UNKNOWN;
  const type = memberType(e, object, member, name);
  return isClassObject(object) && QUERIES.has(name) && isModel(e, member.cls, name) ? queriesOf(instanceOf(object), withQuerySets(e, type)) : type;
}

/** Managers of the project's, with the query sets that these say they give. */
function withQuerySets(e: Evaluator, managers: Type): Type {
  return union(itemsOf(managers).flatMap((manager) => {
    const own = manager.k === "inst" ? memberOf(e, manager, "get_queryset") : undefined;
    return manager.k === "inst" && own && "definitions" in own ? [manager, ...itemsOf(e.once("get_queryset", manager.cls, () => e.call(memberType(e, manager, own, "get_queryset"))))] : [manager];
  }));
}

/** Whether a class of the project's has an external base with queries under a name. */
function isModel(e: Evaluator, cls: Cls, name: string): boolean {
  e.ask(cls, ORDER);
  return mroOf(e, cls).some((ancestor) => !ancestor.cls && ancestor.type.k === "ext" && isQueries(ancestor.type, name));
}

/** An attribute that a class has from an external base. */
function ofOutside(e: Evaluator, object: Type, base: Type & { k: "ext" }, name: string): Type {
  if (isClassObject(object)) {
    if (isQueries(base, name)) return queriesOf(instanceOf(object), UNKNOWN);
  } else {
    const known = attributeOfOwnQueries(object, base, name) ?? relatedTo(e, object, name);
    if (known) return known;
  }
  // A query set of Django's that is a manager, too.
  if (name === "as_manager") return { k: "callable", result: instanceOf(object) };
  const isMaker = isClassObject(object) && base.args.length === 0 && !isValue(base) && !/^(?:[A-Z]|__)/.test(name);
  return { k: "extmethod", of: isMaker ? ext(MADE, instanceOf(object.k === "super" ? object.self : object)) : base, name };
}

/** A member of the class's objects that what its external base made may have; as far as that is no name that any container has. */
function ofMade(e: Evaluator, made: Type & { k: "ext" }, name: string): Type | undefined {
  const object = madeWith(e, made, name);
  if (object) e.weaken(SURE.possible);
  return object && attributeOf(e, object, name);
}

/** The object with a member of the project's that something from outside may be, or give. */
export function madeWith(e: Evaluator, made: Type & { k: "ext" }, name: string): Type | undefined {
  const object = made.name === MADE && !COMMON.has(name) && !name.startsWith("__") ? made.args[0] : undefined;
  const member = object && memberOf(e, object, name);
  return member && "definitions" in member ? object : undefined;
}

/** What a model's own managers have. */
function ofQueries(e: Evaluator, queries: Type & { k: "ext" }, name: string): Type | undefined {
  for (const own of managersOf(queries)) {
    const member = memberOf(e, own, name);
    if (member && "definitions" in member) return boundToQueries(queries, memberType(e, own, member, name));
  }
  return undefined;
}

/** What relations of other models give a record, as `author.book_set`. */
function relatedTo(e: Evaluator, object: Type, name: string): Type | undefined {
  const asked = askedClass(object)?.cls;
  if (!asked || name.startsWith("__")) return undefined;
  const found = e.program.related(name).flatMap(({ file, relation: { cls, field, definition, isOne } }) => {
    const other = e.program.cls(file, cls);
    e.ask(other, field);
    const declared = itemsOf(e.value(file, definition)).map((type) => (type.k === "ext" ? type.args[0] : type));
    if (!declared.some((type) => type?.k === "inst" && (type.cls === asked || inherits(e, asked, type.cls)))) return [];
    const type: Type = { k: "class", cls: other, args: [] };
    return [isOne ? instanceOf(type) : attributeOf(e, type, "objects")];
  });
  return found.length > 0 ? union(found) : undefined;
}

function memberOfModule(e: Evaluator, module: { file: number } | { folder: string }, name: string): Type {
  return e.meaning(e.program.member(module, name));
}

/** Where an attribute is bound: a member of a class of the repository, or the external type that has it. */
export function memberOf(e: Evaluator, object: Type, name: string): Member | Type | undefined {
  switch (object.k) {
    case "inst": return findMember(e, object.cls, name);
    case "class": return findMember(e, object.cls, name) ?? metaMember(e, object.cls, name);
    case "super": return findMember(e, receiverClass(object.self) ?? object.cls, name, object.cls);
    case "var": return memberOf(e, object.meta ? classOf(object.bound) : object.bound, name);
    default: return undefined;
  }
}

/** `super()` searches behind its own class in the order of that class: what subclasses add is not known here. */
function receiverClass(self: Type): Cls | undefined {
  const bound = self.k === "var" ? self.bound : self;
  return bound.k === "inst" || bound.k === "class" ? bound.cls : undefined;
}

export function metaMember(e: Evaluator, cls: Cls, name: string): Member | Type | undefined {
  e.ask(cls, META);
  for (const ancestor of mroOf(e, cls)) {
    if (!ancestor.cls || ancestor.cls.fact.metaclass < 0) continue;
    const meta = e.value(ancestor.cls.file, ancestor.cls.fact.metaclass);
    return meta.k === "class" ? findMember(e, meta.cls, name) : EXTERNAL;
  }
  return undefined;
}

/** What derives from a class: one of these. */
function subclassesOf(e: Evaluator, type: Type): Type {
  const cls = classBehind(type);
  e.informs();
  if (!cls || !e.program.informed) return UNKNOWN;
  e.weaken(SURE.possible);
  return union(e.program.heirsOf(cls).map((heir) => ({ k: "class", cls: heir, args: [] })));
}

/**
 * Of an object, a mixin's `cls` or `super()`, which has no attribute of the name: what derives from its class and has one, one for each class
 * that declares it.
 */
export function mixedIn(e: Evaluator, object: Type, name: string): Type[] {
  const mixin = mixinOf(object);
  if (!mixin || (object.k !== "super" && name.startsWith("__"))) return [];
  e.informs();
  if (!e.program.informed) return [];
  const found = new Map<Cls, Type>();
  for (const cls of e.program.heirsOf(mixin)) {
    const member = findMember(e, cls, name, object.k === "super" ? mixin : undefined);
    if (!member || !("definitions" in member) || found.has(member.cls)) continue;
    found.set(member.cls, object.k === "super" ? { ...object, self: sameOf(object.self, cls) } : sameOf(object, cls));
  }
  return [...found.values()];
}

/** The class of an object, or whose code has a `cls` or `super()`. */
function mixinOf(object: Type): Cls | undefined {
  if (object.k === "super" || object.k === "inst") return object.cls;
  return object.k === "var" && object.key === "self" && object.bound.k === "inst" ? object.bound.cls : undefined;
}

/** An object of another class, or that class where it was a class. */
function sameOf(object: Type, cls: Cls): Type {
  return { k: isClassObject(object) ? "class" : "inst", cls, args: [] };
}

/** What `__getattr__` says, where there is one. */
function dynamicAttribute(e: Evaluator, object: Type, name: string): Type {
  if (object.k !== "inst" && object.k !== "var") return UNKNOWN;
  if (name.startsWith("__")) return UNKNOWN;
  const member = memberOf(e, object, "__getattr__");
  if (!member || "k" in member) return UNKNOWN;
  return e.once("getattr", member.cls, () => e.call(memberType(e, object, member, "__getattr__")));
}

/** The type of a member, seen from the object. */
function memberType(e: Evaluator, object: Type, member: Member, name: string): Type {
  const { cls } = member;
  const type = bindMember(e, object, member, name);
  if (type.k !== "fn" && !isOpen(type)) return type;
  // The class's own variables, as the object's arguments say.
  const solved = new Map<string, Type>();
  const asked = askedClass(object);
  const given = asked ? (asked.args.length > 0 ? new Map(typeVarsOf(e, asked.cls).map((v, i) => [v.key, asked.args[i] ?? UNKNOWN])) : undefined) : undefined;
  typeVarsOf(e, cls).forEach((v, i) => {
    const arg = member.args[i];
    if (!arg || (arg.k === "var" && arg.key === v.key && !given?.has(v.key))) return;
    solved.set(v.key, given ? substitute(arg, given) : arg);
  });
  if (!isSelfless(type)) solved.set("self", receiverOf(object));
  if (type.k !== "fn") return substitute(type, solved);
  return solved.size > 0 || type.solved ? { ...type, solved } : type;
}

function isSelfless(type: Type): boolean {
  return type.k === "fn";
}

function askedClass(object: Type): (Type & { k: "inst" | "class" }) | undefined {
  switch (object.k) {
    case "inst": case "class": return object;
    case "var": return askedClass(object.bound);
    case "super": return askedClass(object.self);
    default: return undefined;
  }
}

/** What `self` is in a method that is reached through the object. */
function receiverOf(object: Type): Type {
  switch (object.k) {
    case "super": return object.self;
    case "class": return { k: "inst", cls: object.cls, args: object.args };
    case "var": return object.meta ? { ...object, meta: false } : object;
    default: return object;
  }
}

const isClassObject = (object: Type): boolean => object.k === "class" || (object.k === "var" && object.meta) || (object.k === "super" && isClassObject(object.self));

function bindMember(e: Evaluator, object: Type, member: Member, name: string): Type {
  const { cls, definitions } = member;
  const { file } = cls;
  const onClass = isClassObject(object);
  const functions = definitions.filter((d) => opOf(file, d) === Op.Function);
  if (functions.length > 0) {
    return union(functions.map((d) => {
      const fn = e.program.fn(file, file.facts.nodes[d + 1]!);
      return boundMethod(e, object, fn, e.value(file, d), onClass);
    }));
  }
  const declared = e.declaration(file, definitions) ?? inheritedDeclaration(e, object, cls, name);
  if (declared) return described(e, object, declared, onClass);
  // What a property is given goes to its setter.
  const properties = definitions.filter((d) => opOf(file, d) === Op.Call && itemsOf(e.value(file, d)).some(isMadeProperty));
  const type = union((properties.length > 0 ? properties : definitions).map((d) => e.value(file, d)));
  // Declared types aside, what some method assigned is what it happens to be.
  if (definitions.some((d) => opOf(file, d) !== Op.Class)) e.weaken(SURE.inferred);
  if (type.k !== "class" && type.k !== "fn" && file.facts.scopes[cls.fact.scope]!.names[file.strings.get(name)!] && isEnum(e, cls)) {
    return { k: "inst", cls, args: [] };
  }
  if (onClass || file.facts.scopes[cls.fact.scope]!.names[file.strings.get(name)!]) return described(e, object, type, onClass);
  // What only some objects are given, others may have by a descriptor of a class above.
  const above = boundInBody(e, findMember(e, cls, name, cls), name);
  const made = above ? above.definitions.filter((d) => opOf(above.file, d) === Op.Call).map((d) => described(e, object, e.value(above.file, d), false)) : [];
  if (made.length > 0) e.weaken(SURE.weak);
  return union([described(e, object, type, false), ...made]);
}

/** An attribute that is assigned here and declared in a base class has the declared type. */
function inheritedDeclaration(e: Evaluator, object: Type, from: Cls, name: string): Type | undefined {
  const asked = askedClass(object)?.cls ?? from;
  e.ask(asked, name);
  let behind = false;
  for (const ancestor of mroOf(e, asked)) {
    if (!ancestor.cls) continue;
    if (ancestor.cls === from) behind = true;
    else if (behind) {
      const { file } = ancestor.cls;
      const index = file.strings.get(name);
      if (index === undefined) continue;
      const definitions = [...(file.facts.scopes[ancestor.cls.fact.scope]!.names[index] ?? []), ...(ancestor.cls.fact.attrs[index] ?? [])];
      const type = e.declaration(file, definitions);
      if (type) return type;
    }
  }
  return undefined;
}

function boundMethod(e: Evaluator, object: Type, fn: Callable, type: Type, onClass: boolean): Type {
  const { flags } = fn.fact;
  const self = onClass && (flags & FunctionFlag.ClassMethod) === 0 ? undefined : receiverOf(object);
  const plain: Type & { k: "fn" } = { k: "fn", fn, self, solved: undefined };
  if (isProperty(e, fn)) return onClass ? type : withSelf(resultOf(e, { ...plain, self: receiverOf(object) }), object);
  if (type.k === "fn") return type.fn === fn ? { ...plain, self: (flags & FunctionFlag.Static) !== 0 ? undefined : (self ?? receiverOf(object)) } : { ...type, self };
  return described(e, object, type, onClass);
}

function withSelf(type: Type, object: Type): Type {
  return substitute(type, new Map([["self", receiverOf(object)]]));
}

/** A method that is read like an attribute: by the builtin, or by a decorator that derives from it or makes something with `__get__`. */
export function isProperty(e: Evaluator, fn: Callable): boolean {
  if ((fn.fact.flags & FunctionFlag.Property) !== 0) return true;
  if ((fn.fact.flags & FunctionFlag.Decorated) === 0 || !fn.owner) return false;
  return fn.fact.decorators.some((decorator) => {
    const type = e.value(fn.file, decorator);
    switch (type.k) {
      case "extobj": return PROPERTY.test(type.name);
      case "class": return inherits(e, type.cls, "property") || inherits(e, type.cls, "cached_property") || hasGet(e, type.cls);
      // `@DictProperty("environ")`, which gives itself, and `@lazy`, a function that makes one.
      case "inst": return hasGet(e, type.cls);
      case "fn": return itemsOf(resultOf(e, type)).some((made) => (made.k === "inst" ? hasGet(e, made.cls) : made.k === "ext" && PROPERTY.test(made.name)));
      default: return false;
    }
  });
}

/** The descriptors that the decorators of a method make of it. */
export function descriptorsOf(e: Evaluator, fn: Callable): Type[] {
  if ((fn.fact.flags & FunctionFlag.Decorated) === 0 || !fn.owner) return [];
  return fn.fact.decorators.flatMap((decorator) => {
    const type = e.value(fn.file, decorator);
    const made = type.k === "class" ? [instanceOf(type)] : type.k === "fn" ? itemsOf(resultOf(e, type)) : [type];
    return made.filter((one) => one.k === "inst" && hasGet(e, one.cls));
  });
}

const PROPERTY = /(^|[._]|lazy)(cached_?)?property$/i;

function hasGet(e: Evaluator, cls: Cls): boolean {
  return findMember(e, cls, "__get__") !== undefined;
}

/** A class attribute that is a descriptor gives what its `__get__` says. */
function described(e: Evaluator, object: Type, type: Type, onClass: boolean): Type {
  if (onClass) return type;
  if (isMadeProperty(type)) return withSelf(type.args[0] ?? UNKNOWN, object);
  if (type.k !== "inst") return type;
  const getter = memberOf(e, type, "__get__");
  if (!getter || "k" in getter) return type;
  if (!getter.definitions.some((d) => opOf(getter.cls.file, d) === Op.Function)) return type;
  const result = e.once("get", type.cls, () => e.call(attributeOf(e, type, "__get__")));
  return result.k === "unknown" ? type : withSelf(result, object);
}

