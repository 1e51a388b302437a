import type { Arguments } from "./externals.ts";
import { BOOL, type Type, ext, itemsOf, substitute, union, UNKNOWN } from "./types.ts";

/**
 * What is known of the records of Django and SQLAlchemy. A query is an external `QuerySet` of what it gives; with Django's own managers and
 * query sets their class is its second argument.
 */
type External = Type & { k: "ext" };

/** Attributes of a model's class with queries for it: Django's managers, `query` of Flask-SQLAlchemy. */
export const QUERIES: ReadonlySet<string> = new Set(["objects", "query", "_default_manager", "_base_manager"]);

/** Whether an attribute of a class that inherits from an external one gives queries. */
export function isQueries(base: External, name: string): boolean {
  return QUERIES.has(name) && (name !== "query" || base.name === "Model");
}

/** Queries that give a record; `managers`: objects of the project's classes that the model makes these with. */
export function queriesOf(record: Type, managers: Type): External {
  const own = itemsOf(managers).filter((one) => one.k === "inst");
  return own.length > 0 ? ext("QuerySet", record, union(own)) : ext("QuerySet", record);
}

/** The objects of the project's classes that queries are made with. */
export function managersOf(queries: External): readonly Type[] {
  const managers = queries.name === "QuerySet" ? queries.args[1] : undefined;
  return managers ? itemsOf(managers) : [];
}

/** What queries of a manager's or a query set's own class are for, in the code of that class. */
const RECORD: Type & { k: "var" } = { k: "var", key: "record", bound: UNKNOWN, meta: false };

const NARROWING: ReadonlySet<string> = new Set((
  "all filter exclude order_by annotate alias select_related prefetch_related distinct reverse only defer using none union intersection difference extra select_for_update complex_filter get_queryset _clone _chain"
).split(" "));

/** What an object of a project's class has by the name from its base, a manager or a query set of Django's; undefined where that is not known. */
export function attributeOfOwnQueries(object: Type, base: External, name: string): Type | undefined {
  if (!/(?:QuerySet|Manager)$/.test(base.name)) return undefined;
  if (NARROWING.has(name)) return { k: "callable", result: object };
  if (name === "model") return { ...RECORD, meta: true };
  const of = ext("QuerySet", RECORD);
  const result = methodOfQuery(of, name);
  return result === of ? undefined : { k: "callable", result };
}

/** A member of such a class, as queries for a record have it. */
export function boundToQueries(queries: External, member: Type): Type {
  if (member.k === "union") return union(member.items.map((item) => boundToQueries(queries, item)));
  const solved = new Map([[RECORD.key, queries.args[0] ?? UNKNOWN]]);
  if (member.k !== "fn") return substitute(member, new Map([...solved, ["self", queries]]));
  return { ...member, self: member.self && queries, solved: new Map([...member.solved ?? [], ...solved]) };
}

/** What Flask-SQLAlchemy's object has. */
export function attributeOfRecords(of: External, name: string): Type | undefined {
  if (of.name !== "SQLAlchemy") return undefined;
  if (name === "session") return ext("Session");
  return { k: "extobj", name: name === "select" ? "sqlalchemy.select" : `flask_sqlalchemy.${name}` };
}

/** Calls by their full name that declare a relation to a model, which may be named by a text: to one record, or to many. */
const RELATIONS = /^(?:[\w.]*\.)?(?:(ForeignKey|OneToOneField|ParentalKey|relationship)|((?:Parental)?ManyToManyField))$/;

/** What a field is that declares a relation: records of the model, as in `author = models.ForeignKey(Author)`. */
export function relation(name: string, model: () => Type, queriesFor: (record: Type) => Type): Type | undefined {
  const found = RELATIONS.exec(name);
  if (!found || !/^(?:django|sqlalchemy|flask_sqlalchemy|modelcluster|parler)\b/.test(name)) return undefined;
  const record = model();
  if (record.k !== "inst") return undefined;
  return found[2] ? queriesFor(record) : record;
}

/** Calls of these libraries' functions. */
export function callOfRecords(name: string, args: Arguments): Type | undefined {
  switch (name) {
    case "django.shortcuts.get_object_or_404": return recordOf(args.at(0), args);
    case "django.shortcuts.get_list_or_404": return ext("list", recordOf(args.at(0), args));
    case "sqlalchemy.select": case "sqlalchemy.future.select": case "sqlmodel.select": return ext("QuerySet", args.instance(args.at(0)));
    case "sqlalchemy.orm.sessionmaker": case "sqlalchemy.orm.scoped_session": return { k: "callable", result: ext("Session") };
    case "sqlalchemy.ext.asyncio.async_sessionmaker": return { k: "callable", result: ext("AsyncSession") };
    default:
      return name.endsWith(".from_queryset") && name.startsWith("django.") ? args.at(0) : undefined;
  }
}

/** The record that a model, or a query, gives. */
function recordOf(type: Type, args: Arguments): Type {
  return type.k === "ext" ? args.item(type) : args.instance(type);
}

const SESSIONS: ReadonlySet<string> = new Set(["Session", "AsyncSession", "scoped_session"]);

/** Calls of the methods of queries and sessions; undefined for all others. */
export function methodOfRecords(of: External, method: string, args: Arguments): Type | undefined {
  if (SESSIONS.has(of.name)) {
    const given = methodOfSession(of, method, args);
    return given && of.name === "AsyncSession" && given !== of ? ext("Coroutine", given) : given;
  }
  return of.name === "QuerySet" && of.args.length > 0 ? methodOfQuery(of, method) : undefined;
}

function methodOfSession(of: External, method: string, args: Arguments): Type | undefined {
  switch (method) {
    case "query": return ext("QuerySet", args.instance(args.at(0)));
    case "get": case "get_one": return args.instance(args.at(0));
    case "merge": case "scalar": return method === "merge" ? args.at(0) : args.item(args.at(0));
    case "scalars": case "execute": case "exec": return ext("QuerySet", args.item(args.at(0)));
    case "__enter__": case "__aenter__": case "begin": return of;
    default: return undefined;
  }
}

function methodOfQuery(of: External, method: string): Type {
  const [record] = of.args as [Type];
  switch (method) {
    case "get": case "first": case "last": case "latest": case "earliest": case "create": case "one": case "one_or_none": case "scalar":
    case "scalar_one": case "scalar_one_or_none": case "get_or_404": case "first_or_404": case "one_or_404": case "get_by_natural_key": case "add":
      return record;
    case "aget": case "afirst": case "alast": case "acreate": return ext("Coroutine", record);
    case "get_or_create": case "update_or_create": return { k: "tuple", items: [record, BOOL], rest: undefined };
    case "in_bulk": return ext("dict", ext("?"), record);
    case "bulk_create": return ext("list", record);
    case "count": case "exists": case "delete": case "update": case "aggregate": case "values": case "values_list": case "explain": return ext("?");
    // All others narrow it, or order it.
    default: return of;
  }
}
