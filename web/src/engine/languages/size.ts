/** Types in types, all counted: of a larger one nobody learns anything more, and some grow each time they are passed on. */
const MAX_SIZE = 500;
/** What is no larger than this is counted again rather than remembered. */
const SMALL = 12;

/**
 * Bounds how large types become. What stands for a type parameter is shared by all places where that stands, so a few lines can make
 * a type that, written out, is larger than memory; and whoever goes through it goes through all of that. So nothing larger is ever
 * made a part of something.
 */
export class Sizes<T extends object> {
  private readonly known = new WeakMap<T, number>();

  /** `partsOf` gives the types that a type is made of, and nothing for most. */
  constructor(private readonly partsOf: (type: T) => readonly T[], private readonly unknown: T) {}

  /** A type, unless it is too large to go on with. */
  bounded(type: T): T {
    return this.sizeOf(type, MAX_SIZE) > MAX_SIZE ? this.unknown : type;
  }

  /** Something of a type, unless the type is too large to go on with: then of an unknown one. */
  boundedIn<V extends { readonly type: T }>(value: V): V {
    const type = this.bounded(value.type);
    return type === value.type ? value : { ...value, type };
  }

  /** Counts no further than a little over `most`, and goes no deeper. */
  private sizeOf(type: T, most: number): number {
    const parts = this.partsOf(type);
    if (parts.length === 0) return 1;
    const known = this.known.get(type);
    if (known !== undefined) return known;
    let size = 1;
    for (const part of parts) {
      if (size > most) return size;
      size += this.sizeOf(part, most - size);
    }
    if (size > SMALL && size <= most) this.known.set(type, size);
    return size;
  }
}
