import { Square, describe } from "./store";

export function Badge({ side }: { side: number }) {
  return <b>{describe(new Square(side))}</b>;
}
