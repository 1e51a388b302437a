/** Queries, `from x in xs where … select y`: each clause calls the method that stands for it. */
import { type Offset, Op } from "../classes/facts.ts";
import type { Unit } from "../classes/unit.ts";
import { expression } from "./expressions.ts";
import { identifier, typeOf } from "./types.ts";

export function query(u: Unit, node: number): Offset {
  let result = 0;
  u.scoped(() => {
    result = new Query(u).read(u.syntax.children(node));
  });
  return result;
}

class Query {
  /** What the clauses so far give. */
  private at: Offset = 0;
  /** The variable that stands for what is in it; 0 behind clauses that give several variables. */
  private variable: Offset = 0;

  constructor(private readonly u: Unit) {}

  read(clauses: readonly number[]): Offset {
    const { syntax } = this.u;
    for (let i = 0; i < clauses.length; i++) {
      const clause = clauses[i]!;
      const next = clauses[i + 1] ?? 0;
      switch (syntax.kind(clause)) {
        case "from_clause":
          if (this.from(clause, next)) i++;
          break;
        case "join_clause":
          if (this.join(clause, next)) i++;
          break;
        case "let_clause":
          this.let(clause);
          break;
        case "where_clause":
          this.call("Where", clause, this.given(syntax.children(clause)[0]));
          break;
        case "order_by_clause":
          this.order(clause);
          break;
        case "group_clause":
          this.group(clause);
          break;
        case "select_clause": {
          const [value] = syntax.children(clause);
          // What nothing is made of is not selected anew.
          if (i === 1 || !this.isVariable(value)) this.call("Select", clause, this.given(value));
          break;
        }
        case "identifier":
          // `into x`
          this.variable = this.ranged(clause, 0, this.u.emit(Op.Element, this.at));
      }
    }
    return this.at;
  }

  /** Returns whether the clause behind has been read. */
  private from(clause: number, next: number): boolean {
    const { u } = this;
    const name = u.syntax.part(clause, "name");
    const type = typeOf(u, u.syntax.part(clause, "type"));
    const source = u.syntax.children(clause).filter((child) => child !== name && u.syntax.field(child) !== "type")[0];
    if (this.at === 0) {
      this.at = source === undefined ? 0 : expression(u, source);
      this.variable = this.ranged(name, type, u.emit(Op.Element, this.at));
      return false;
    }
    const all = this.given(source);
    const before = this.variable;
    const inner = this.ranged(name, type, u.emit(Op.Element, u.resultOf(all)));
    return this.several("SelectMany", clause, next, [all], [before, inner]);
  }

  private join(clause: number, next: number): boolean {
    const { u } = this;
    const { syntax } = u;
    const into = syntax.child(clause, "join_into_clause");
    const [name = 0, source, own, other] = syntax.children(clause).filter((child) => child !== into && syntax.field(child) !== "type");
    const over = source === undefined ? 0 : expression(u, source);
    const before = this.variable;
    const first = this.given(own);
    const inner = this.variable = this.ranged(name, typeOf(u, syntax.part(clause, "type")), u.emit(Op.Element, over));
    const second = this.given(other);
    const group = into ? this.ranged(syntax.children(into)[0] ?? 0, 0, over) : inner;
    return this.several(into ? "GroupJoin" : "Join", clause, next, [over, first, second], [before, group]);
  }

  /** A clause that adds a variable; the last function that it is given has the value that is selected, where that clause is the next. */
  private several(method: string, clause: number, next: number, args: readonly Offset[], variables: readonly Offset[]): boolean {
    const isLast = this.u.syntax.kind(next) === "select_clause";
    const result = this.lambda(isLast ? this.u.syntax.children(next)[0] : undefined, variables);
    this.call(method, clause, ...args, result);
    this.variable = 0;
    return isLast;
  }

  private let(clause: number): void {
    const { u } = this;
    const [name = 0, value] = u.syntax.children(clause).filter((child) => u.syntax.kind(child) !== "=");
    const given = this.given(value);
    this.call("Select", clause, given);
    if (name) u.variable(identifier(u, name), 0, u.resultOf(given));
    this.variable = 0;
  }

  private order(clause: number): void {
    const { syntax } = this.u;
    const keys = syntax.children(clause);
    keys.forEach((key, i) => {
      const behind = syntax.source.slice(syntax.end(key), i + 1 < keys.length ? syntax.start(keys[i + 1]!) : syntax.end(clause));
      this.call(`${i > 0 ? "ThenBy" : "OrderBy"}${/\bdescending\b/.test(behind) ? "Descending" : ""}`, key, this.given(key));
    });
  }

  private group(clause: number): void {
    const [value, key] = this.u.syntax.children(clause);
    const by = this.given(key);
    if (this.isVariable(value)) this.call("GroupBy", clause, by);
    else this.call("GroupBy", clause, by, this.given(value));
  }

  private call(method: string, node: number, ...args: readonly Offset[]): void {
    const { u } = this;
    this.at = u.call(Op.Call, u.select(this.at, method), args, node);
  }

  /** Whether an expression is no more than the only variable. */
  private isVariable(node: number | undefined): boolean {
    const { syntax } = this.u;
    return node !== undefined && this.variable > 0 && syntax.kind(node) === "identifier" && this.u.lookup(identifier(this.u, node)) === this.variable;
  }

  /** A function of the variables so far that gives the value of an expression. */
  private given(node: number | undefined): Offset {
    return this.lambda(node, [this.variable]);
  }

  private lambda(node: number | undefined, variables: readonly Offset[]): Offset {
    const { u } = this;
    const at = u.lambda(variables.map(() => ({ name: " ", type: 0 })), () => (node === undefined ? 0 : expression(u, node)));
    variables.forEach((variable, i) => {
      const ranged = variable ? u.code[variable + 2]! : 0;
      if (u.code[ranged] === Op.Ranged) u.code[ranged + 2] ||= u.code[at + 5 + i]!;
    });
    return at;
  }

  /** A variable for what a loop gives, or else what the method of the clause behind gives to its function. */
  private ranged(name: number, type: Offset, each: Offset): Offset {
    const { u } = this;
    return name ? u.variable(identifier(u, name), type, type ? 0 : u.emit(Op.Ranged, each, 0)) : 0;
  }
}
