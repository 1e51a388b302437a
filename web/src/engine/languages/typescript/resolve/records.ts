import { Op } from "../facts.ts";

/**
 * The operands of each record, as facts.ts describes them: o an offset, L a counted list of offsets, s a string, b a
 * binding, f a function, h a shape, a an alias, e an enum, n a namespace, p a specifier, y a symbol, i a plain number.
 */
export const OPERANDS: Readonly<Record<number, string>> = {
  [Op.Name]: "b", [Op.Global]: "s", [Op.Super]: "hi", [Op.Member]: "os", [Op.Index]: "oos", [Op.Call]: "oLL", [Op.New]: "oLL",
  [Op.Await]: "o", [Op.Function]: "f", [Op.Class]: "h", [Op.Object]: "h", [Op.Array]: "L", [Op.Spread]: "o", [Op.Or]: "L",
  [Op.As]: "oo", [Op.String]: "s", [Op.Primitive]: "s", [Op.Parameter]: "fi", [Op.Element]: "oi", [Op.At]: "oi", [Op.Rest]: "oi",
  [Op.Module]: "p", [Op.ImportCall]: "p", [Op.AsConst]: "o", [Op.Key]: "o", [Op.Pattern]: "s",
  [Op.TypeName]: "bL", [Op.TypeGlobal]: "sL", [Op.TypeMember]: "osL", [Op.TypePrimitive]: "s", [Op.TypeLiteral]: "s",
  [Op.TypeArray]: "o", [Op.TypeTuple]: "L", [Op.TypeSpread]: "o", [Op.TypeUnion]: "L", [Op.TypeIntersection]: "L",
  [Op.TypeFunction]: "f", [Op.TypeConstructor]: "f", [Op.TypeShape]: "h", [Op.TypeOf]: "o", [Op.TypeKeyOf]: "o",
  [Op.TypeIndexed]: "oo", [Op.TypeConditional]: "oooo", [Op.TypeMapped]: "oooo", [Op.TypeThis]: "h", [Op.TypePredicate]: "ioi",
  [Op.TypeImport]: "p", [Op.TypeInfer]: "o",
  [Op.ContextArgument]: "oi", [Op.ContextType]: "o", [Op.ContextProperty]: "os", [Op.ContextElement]: "oi", [Op.ContextReturn]: "f",
  [Op.ContextExpression]: "o",
  [Op.FunctionDeclaration]: "of", [Op.ShapeDeclaration]: "oh", [Op.Alias]: "oa", [Op.Enum]: "oe", [Op.Namespace]: "on",
  [Op.Import]: "ops", [Op.TypeParameter]: "ooo", [Op.ImportAlias]: "oo",
};

/**
 * Records for which no member is asked for but by a name that stands in them. What calls, iterates, awaits, compares or goes through
 * members asks for some that nobody names.
 */
export const QUIET: ReadonlySet<number> = new Set<number>([
  Op.Name, Op.Global, Op.This, Op.Super, Op.Member, Op.Function, Op.Class, Op.Object, Op.As, Op.String, Op.Primitive, Op.Parameter, Op.Module,
  Op.ImportCall, Op.AsConst, Op.Key, Op.Pattern, Op.TypeName, Op.TypeGlobal, Op.TypeMember, Op.TypePrimitive, Op.TypeLiteral, Op.TypeArray, Op.TypeTuple,
  Op.TypeSpread, Op.TypeUnion, Op.TypeIntersection, Op.TypeFunction, Op.TypeConstructor, Op.TypeShape, Op.TypeOf, Op.TypeThis,
  Op.TypePredicate, Op.TypeImport, Op.TypeInfer, Op.ContextType, Op.ContextProperty, Op.ContextExpression, Op.Variable,
  Op.FunctionDeclaration, Op.ShapeDeclaration, Op.Alias, Op.Enum, Op.Namespace, Op.Import, Op.TypeParameter, Op.ImportAlias,
]);
