import { ThisKind } from "../facts.ts";
import type { ExpandoFact, MemberFact, Offset } from "../facts.ts";
import type { Extraction } from "./extraction.ts";

/** More that is put in a method's place says little about what runs. */
const MAX_REPLACED = 4;

/** Notes at methods what code puts in their place on `this`: `this.read = this.readQuickly`. */
export function noteReplaced(x: Extraction): void {
  const { shapes, expandos } = x.facts;
  let onPrototypes: Map<string, ExpandoFact> | undefined;
  for (const { kind, of, name, value } of x.replaces) {
    let method: MemberFact | ExpandoFact | undefined;
    if (kind === ThisKind.Instance || kind === ThisKind.Static) {
      method = x.membersNamed(shapes[of]!, name).find((one) => one.kind === "method" && (one.static ?? false) === (kind === ThisKind.Static));
    } else if (kind === ThisKind.Constructed) {
      onPrototypes ??= new Map(expandos.filter(({ prototype, own, accessor, symbol }) => prototype && !own && !accessor && symbol >= 0).map((one) => [`${one.binding} ${one.name}`, one]));
      method = onPrototypes.get(`${of} ${name}`);
    }
    if (method) replace(method, value);
  }
}

/** Notes what is put in a member's place. */
export function replace(member: MemberFact | ExpandoFact, value: Offset): void {
  if ((member.replaced?.length ?? 0) < MAX_REPLACED) (member.replaced ??= []).push(value);
}
