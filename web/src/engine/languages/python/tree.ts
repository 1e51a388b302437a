import type { Language as Grammar, Tree } from "web-tree-sitter";
import { walk } from "../../tree-walk.ts";

/**
 * Kinds of syntax nodes that extraction tells apart. Everything else is `Other`;
 * brackets, commas, dots and comments are left out of a FlatTree altogether.
 */
export const enum K {
  Skip, Other, Error, Module, Block, Comment,
  Function, Class, Decorated, Decorator, Parameters, LambdaParameters,
  DefaultParameter, TypedParameter, TypedDefaultParameter, KeywordSeparator, PositionalSeparator,
  ListSplatPattern, DictSplatPattern, PatternList, TuplePattern, ListPattern, SplatPattern,
  ExpressionStatement, Assignment, AugmentedAssignment, Return, Raise, Delete, Global, Nonlocal, Assert,
  If, Elif, Else, For, While, Try, Except, ExceptGroup, Finally, With, WithClause, WithItem, Match, Case, Break, Continue, TypeAlias,
  Import, ImportFrom, FutureImport, DottedName, AliasedImport, RelativeImport, ImportPrefix, Wildcard,
  Identifier, Attribute, Call, Arguments, KeywordArgument, ListSplat, DictSplat, Subscript, Slice, Parenthesized,
  Named, Conditional, Boolean, Not, Compare, Binary, Unary, Await, Yield, Lambda,
  List, Tuple, Set, Dict, Pair, ExpressionList, ListComp, SetComp, DictComp, Generator, ForIn, IfClause,
  String, Concatenated, StringContent, Interpolation, Integer, Float, True, False, None, Ellipsis,
  Type, GenericType, TypeParameter, UnionType, MemberType, ConstrainedType, SplatType,
  AsPattern, AsPatternTarget, CasePattern, ClassPattern, KeywordPattern, UnionPattern, DictPattern,
  Print, Exec,
  // Tokens that carry meaning.
  Async, Star, StarStar, Or, Is, IsNot, Equals, AssignOp, As, From, In, Arrow, Bar, WildcardCase,
}

/** Whether a node is an expression, and no token. */
export const isValue = (kind: K): boolean => kind < K.Async;

const KINDS: Record<string, K> = {
  ERROR: K.Error, module: K.Module, block: K.Block, comment: K.Skip, line_continuation: K.Skip,
  function_definition: K.Function, class_definition: K.Class, decorated_definition: K.Decorated, decorator: K.Decorator,
  parameters: K.Parameters, lambda_parameters: K.LambdaParameters, default_parameter: K.DefaultParameter,
  typed_parameter: K.TypedParameter, typed_default_parameter: K.TypedDefaultParameter,
  keyword_separator: K.KeywordSeparator, positional_separator: K.PositionalSeparator,
  list_splat_pattern: K.ListSplatPattern, dictionary_splat_pattern: K.DictSplatPattern,
  pattern_list: K.PatternList, tuple_pattern: K.TuplePattern, list_pattern: K.ListPattern, splat_pattern: K.SplatPattern,
  expression_statement: K.ExpressionStatement, assignment: K.Assignment, augmented_assignment: K.AugmentedAssignment,
  return_statement: K.Return, raise_statement: K.Raise, delete_statement: K.Delete, global_statement: K.Global,
  nonlocal_statement: K.Nonlocal, assert_statement: K.Assert,
  if_statement: K.If, elif_clause: K.Elif, else_clause: K.Else, for_statement: K.For, while_statement: K.While,
  try_statement: K.Try, except_clause: K.Except, except_group_clause: K.Except, finally_clause: K.Finally,
  with_statement: K.With, with_clause: K.WithClause, with_item: K.WithItem, match_statement: K.Match, case_clause: K.Case,
  break_statement: K.Break, continue_statement: K.Continue, type_alias_statement: K.TypeAlias,
  import_statement: K.Import, import_from_statement: K.ImportFrom, future_import_statement: K.FutureImport,
  dotted_name: K.DottedName, aliased_import: K.AliasedImport, relative_import: K.RelativeImport,
  import_prefix: K.ImportPrefix, wildcard_import: K.Wildcard,
  identifier: K.Identifier, attribute: K.Attribute, call: K.Call, argument_list: K.Arguments,
  keyword_argument: K.KeywordArgument, list_splat: K.ListSplat, dictionary_splat: K.DictSplat,
  subscript: K.Subscript, slice: K.Slice, parenthesized_expression: K.Parenthesized, parenthesized_list_splat: K.ListSplat,
  named_expression: K.Named, conditional_expression: K.Conditional, boolean_operator: K.Boolean, not_operator: K.Not,
  comparison_operator: K.Compare, binary_operator: K.Binary, unary_operator: K.Unary, await: K.Await, yield: K.Yield, lambda: K.Lambda,
  list: K.List, tuple: K.Tuple, set: K.Set, dictionary: K.Dict, pair: K.Pair, expression_list: K.ExpressionList,
  list_comprehension: K.ListComp, set_comprehension: K.SetComp, dictionary_comprehension: K.DictComp,
  generator_expression: K.Generator, for_in_clause: K.ForIn, if_clause: K.IfClause,
  string: K.String, concatenated_string: K.Concatenated, string_content: K.StringContent, interpolation: K.Interpolation,
  integer: K.Integer, float: K.Float, true: K.True, false: K.False, none: K.None, ellipsis: K.Ellipsis,
  type: K.Type, generic_type: K.GenericType, type_parameter: K.TypeParameter, union_type: K.UnionType,
  member_type: K.MemberType, constrained_type: K.ConstrainedType, splat_type: K.SplatType,
  as_pattern: K.AsPattern, as_pattern_target: K.AsPatternTarget, case_pattern: K.CasePattern, class_pattern: K.ClassPattern,
  keyword_pattern: K.KeywordPattern, union_pattern: K.UnionPattern, dict_pattern: K.DictPattern,
  print_statement: K.Print, exec_statement: K.Exec,
};

const TOKENS: Record<string, K> = {
  async: K.Async, "*": K.Star, "**": K.StarStar, or: K.Or, is: K.Is, "is not": K.IsNot, "==": K.Equals, "=": K.AssignOp,
  as: K.As, from: K.From, in: K.In, "->": K.Arrow, "|": K.Bar, _: K.WildcardCase,
};

/** Kinds without children worth a visit: saves one call into the parser for each. */
const LEAVES = [
  K.Skip, K.Identifier, K.Integer, K.Float, K.True, K.False, K.None, K.Ellipsis, K.StringContent, K.Wildcard,
  K.KeywordSeparator, K.PositionalSeparator, K.Break, K.Continue, K.FutureImport,
];

/** Kinds whose end somebody asks for; an identifier's is found in the source. Each saves one more call for all others. */
const ENDS = [K.String, K.Function, K.Class, K.Decorator, K.ImportPrefix, K.Integer, K.Assignment, K.Parameters, K.DefaultParameter];

interface Kinds {
  of: Uint8Array;
  leaf: Uint8Array;
  ends: Uint8Array;
}

const kindsOf = new WeakMap<Grammar, Kinds>();

function kindsFor(grammar: Grammar): Kinds {
  let kinds = kindsOf.get(grammar);
  if (!kinds) {
    const of = new Uint8Array(65536);
    const leaf = new Uint8Array(256);
    const ends = new Uint8Array(256);
    of.fill(K.Other);
    for (let id = 0; id < grammar.nodeTypeCount; id++) {
      const name = grammar.nodeTypeForId(id) ?? "";
      of[id] = grammar.nodeTypeIsNamed(id) ? (KINDS[name] ?? K.Other) : (TOKENS[name] ?? K.Skip);
    }
    of[65535] = K.Error;
    for (const kind of LEAVES) leaf[kind] = 1;
    leaf.fill(1, K.Async);
    for (const kind of ENDS) ends[kind] = 1;
    kindsOf.set(grammar, (kinds = { of, leaf, ends }));
  }
  return kinds;
}

/**
 * A syntax tree copied out of the parser in one pass, in pre-order: the children of `i` start at
 * `i + 1`, the next sibling of `c` is `after[c]`. Offsets count UTF-16 units of the source.
 */
export class FlatTree {
  readonly kind: ArrayLike<K>;
  /** Where a node starts; 0 for tokens. */
  readonly start: Uint32Array;
  /** Where a node ends: identifiers, strings, definitions, decorators, integers, import dots, assignments, parameters; the start for all others. */
  readonly end: Uint32Array;
  /** Index just behind the node's subtree. */
  readonly after: Uint32Array;
  /** How many nodes it has. */
  readonly count: number;
  readonly source: string;
  private readonly lineStarts: number[] = [0];

  constructor(tree: Tree, source: string, grammar: Grammar) {
    this.source = source;
    for (let at = source.indexOf("\n"); at >= 0; at = source.indexOf("\n", at + 1)) this.lineStarts.push(at + 1);
    const kinds = kindsFor(grammar);
    const most = tree.rootNode.descendantCount;
    const kindOf = new Uint8Array(most);
    const starts = (this.start = new Uint32Array(most));
    const ends = (this.end = new Uint32Array(most));
    const after = (this.after = new Uint32Array(most));
    let count = 0;
    walk(tree, (at) => {
      const kind = kinds.of[at.type] as unknown as K;
      if (kind === K.Skip) return -1;
      const node = count++;
      const start = kind < K.Async ? at.start : 0;
      kindOf[node] = kind;
      starts[node] = start;
      ends[node] = kind === K.Identifier ? this.identifierEnd(start) : kinds.ends[kind] === 1 ? at.end : start;
      after[node] = count;
      // A plain string has nothing inside that matters; one with a prefix may be an f-string.
      const plain = kind === K.String && isQuote(source.charCodeAt(start));
      return kinds.leaf[kind] === 1 || plain ? -1 : node;
    }, (node) => {
      after[node] = count;
    });
    this.kind = kindOf as ArrayLike<unknown> as ArrayLike<K>;
    this.count = count;
  }

  /** The source text of a node. */
  text(node: number): string {
    return this.source.slice(this.start[node], this.end[node]);
  }

  /** 1-based line of an offset. */
  lineAt(offset: number): number {
    let low = 0;
    let high = this.lineStarts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.lineStarts[middle]! <= offset) low = middle;
      else high = middle - 1;
    }
    return low + 1;
  }

  /** 1-based line on which a node starts. */
  line(node: number): number {
    return this.lineAt(this.start[node]!);
  }

  /** Indexes of a node's children. */
  children(node: number): number[] {
    const { after } = this;
    const end = after[node]!;
    let count = 0;
    for (let c = node + 1; c < end; c = after[c]!) count++;
    const children = new Array<number>(count);
    for (let c = node + 1, i = 0; c < end; c = after[c]!) children[i++] = c;
    return children;
  }

  /** The first child of a kind, or -1. */
  child(node: number, kind: K): number {
    const end = this.after[node]!;
    for (let c = node + 1; c < end; c = this.after[c]!) if (this.kind[c] === kind) return c;
    return -1;
  }

  private identifierEnd(start: number): number {
    const source = this.source;
    let end = start;
    for (;;) {
      const c = source.charCodeAt(end);
      // Letters, digits, underscore, and whatever is not ASCII; NaN at the end of the source fails all.
      if ((c >= 97 && c <= 122) || c === 95 || (c >= 65 && c <= 90) || (c >= 48 && c <= 57) || c >= 128) end++;
      else return end;
    }
  }
}

function isQuote(code: number): boolean {
  return code === 34 || code === 39;
}
