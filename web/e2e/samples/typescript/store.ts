import { format } from "./text";

export interface Shape {
  area(): number;
}

export class Square implements Shape {
  constructor(private readonly side: number) {}

  area(): number {
    return this.side * this.side;
  }
}

export function describe(shape: Shape): string {
  return format(shape.area());
}
