/** What a name can mean; a class means both. */
export const Space = { Value: 1, Type: 2, Both: 3 } as const;

interface Entry {
  binding: number;
  spaces: number;
}

/** Names declared between two braces. Declarations of one name share a binding. */
export class Scope {
  readonly parent: Scope | undefined;
  /** Where `var` goes: the scope of a function, a namespace or the file. */
  readonly hoists: boolean;
  private readonly names = new Map<string, Entry>();

  constructor(parent: Scope | undefined, hoists: boolean) {
    this.parent = parent;
    this.hoists = hoists;
  }

  /** The binding of a name in this scope alone. */
  own(name: string): number | undefined {
    return this.names.get(name)?.binding;
  }

  add(name: string, binding: number, spaces: number): void {
    const entry = this.names.get(name);
    if (entry) entry.spaces |= spaces;
    else this.names.set(name, { binding, spaces });
  }

  /** The binding that a name has here, from this scope outwards. */
  find(name: string, space: number): number | undefined {
    const entry = this.names.get(name);
    if (entry && (entry.spaces & space) !== 0) return entry.binding;
    return this.parent?.find(name, space);
  }

  all(): IterableIterator<[string, Entry]> {
    return this.names.entries();
  }
}
