/** Stands in a name for what only the run tells: `send("do_#{word}_now")` calls "do_*_now". A pattern begins or ends with something that is known. */
export const ANY = "*";

/** Stands between the names of which the run takes one: `send(isNew ? :create : :update)` calls "create|update". */
export const OR = "|";

/** An ending that says something: "*Action". */
const WORD = /^\w{3,}[?!]?$/;

/** Whether a name is one that a pattern means. */
export type Like = (name: string) => boolean;

/** What a pattern means; undefined for a whole name, as `*`, `**` and `|` are. */
export function likeOf(name: string): Like | undefined {
  if (name.indexOf(OR) > 0 && name !== OR + OR) {
    const names = new Set(name.split(OR));
    const likes = [...names].flatMap((one) => likeOf(one) ?? []);
    return likes.length === 0 ? (one) => names.has(one) : (one) => names.has(one) || likes.some((like) => like(one));
  }
  const at = name.indexOf(ANY);
  if (at > 0 || (at === 0 && WORD.test(name.slice(ANY.length)))) {
    const [beginning, ending] = [name.slice(0, at), name.slice(at + ANY.length)];
    return (one) => one.length > beginning.length + ending.length && one.startsWith(beginning) && one.endsWith(ending);
  }
  return undefined;
}

/** Of so many that a pattern means, more than this each is less likely the one, and more than the other say nothing. */
const FEW = 8;
const MANY = 100;

/** The confidence with which each of so many that a pattern means is called; undefined where they are too many to say. */
export function likeliness(count: number): number | undefined {
  return count > MANY ? undefined : count > FEW ? 0.3 : 0.5;
}

/** Whether a name, or one that a pattern means, is among these. */
export function isAmong(name: string, names: ReadonlySet<string>): boolean {
  if (names.has(name)) return true;
  const like = likeOf(name);
  if (like) for (const one of names) if (like(one)) return true;
  return false;
}
