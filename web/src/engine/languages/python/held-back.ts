import { attend, RELATION, spend } from "../../effort.ts";
import { RESOLVED_EDGE_TYPES, type Emit } from "../../language.ts";

/** Relations that are held back until it is known that they count. */
export class HeldBack {
  private readonly ends: number[] = [];
  private readonly sure: number[] = [];

  readonly take: Emit = (type, from, to, confidence, line) => {
    spend(RELATION);
    this.ends.push(RESOLVED_EDGE_TYPES.indexOf(type), from.file, from.symbol, to.file, to.symbol, line);
    this.sure.push(confidence);
  };

  give(emit: Emit): void {
    const { ends, sure } = this;
    attend();
    for (let i = 0, at = 0; i < sure.length; i++, at += 6) {
      emit(RESOLVED_EDGE_TYPES[ends[at]!]!, { file: ends[at + 1]!, symbol: ends[at + 2]! }, { file: ends[at + 3]!, symbol: ends[at + 4]! }, sure[i]!, ends[at + 5]!);
    }
  }
}
