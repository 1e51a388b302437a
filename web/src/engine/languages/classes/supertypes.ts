/**
 * By its name, all that a type of a library inherits from. Each line of the table is some types, a colon, and what these inherit from directly.
 * What is called an exception is one.
 */
export function supertypes(table: string): ReadonlyMap<string, readonly string[]> {
  const direct = new Map<string, string[]>();
  for (const line of table.trim().split("\n")) {
    const [names, above] = line.split(": ").map((part) => part.split(" ")) as [string[], string[]];
    for (const name of names) direct.set(name, [...(direct.get(name) ?? []), ...above]);
  }
  const all = new Map<string, string[]>();
  for (const name of direct.keys()) {
    const found = new Set([name]);
    for (const one of found) for (const above of direct.get(one) ?? (one.endsWith("Exception") ? ["Exception"] : [])) found.add(above);
    found.delete(name);
    all.set(name, [...found]);
  }
  return all;
}
