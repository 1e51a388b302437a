import { type MemberFact, type Offset, Op, type TypeFact } from "../classes/facts.ts";
import type { Unit } from "../classes/unit.ts";
import { expression } from "./expressions.ts";
import { field } from "./members.ts";
import { attributes } from "./statements.ts";
import { type Doc, docType, saidType, typeOf } from "./types.ts";

/** Reads and binds the parameters; a constructor's may be properties as well. */
export function signature(u: Unit, node: number, fact: MemberFact, doc: Doc, type: TypeFact | undefined): void {
  const { syntax } = u;
  attributes(u, syntax.part(node, "attributes"));
  fact.typeParameters = doc.templates.map(([name, bound]) => {
    const record = u.emit(Op.Parameter, u.str(name), docType(u, bound));
    u.declareType(name, record);
    return record;
  });
  const given = parameters(u, syntax.part(node, "parameters"), doc);
  Object.assign(fact, given.fact);
  fact.variables = given.names.map(({ name, type: at, promoted }) => {
    const parameter = u.variable(name, at, 0);
    if (promoted && type) {
      field(type, name.slice(1), at);
      u.store(u.select(u.emit(Op.Self, u.within), name.slice(1)), parameter);
    }
    return parameter;
  });
  fact.type = saidType(u, typeOf(u, syntax.part(node, "return_type")), doc.returns);
}

export interface Parameters {
  names: { name: string; type: Offset; promoted: boolean }[];
  fact: Pick<MemberFact, "parameters" | "required" | "variadic" | "names">;
}

export function parameters(u: Unit, list: number, doc: Doc | undefined): Parameters {
  const { syntax } = u;
  const names: Parameters["names"] = [];
  let required = 0;
  let variadic = false;
  for (const node of list ? syntax.children(list) : []) {
    const kind = syntax.kind(node);
    if (!/_parameter$/.test(kind)) continue;
    attributes(u, syntax.part(node, "attributes"));
    const name = syntax.part(node, "name");
    const text = name ? syntax.text(name).replace(/^[&.\s]+/, "") : "";
    const type = saidType(u, typeOf(u, syntax.part(node, "type")), doc?.named.get(text) ?? "");
    if (kind === "variadic_parameter") variadic = true;
    else if (!syntax.part(node, "default_value")) required = names.length + 1;
    names.push({ name: text, type: kind === "variadic_parameter" ? u.emit(Op.Array, type) : type, promoted: kind === "property_promotion_parameter" });
    const value = syntax.part(node, "default_value");
    if (value) expression(u, value);
  }
  return { names, fact: { parameters: names.map(({ type }) => type), required, variadic, names: names.map(({ name }) => name.slice(1)) } };
}
