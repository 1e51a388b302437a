/** A text as the source of a regular expression that means it alone, with the flag `u` or without. */
export function literal(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
}
