/**
 * What the grammar does not know, put as it does: blocks of extension members, values that pointers lead to, and variables whose names are words of the language
 * elsewhere. Every offset stays true. For texts that did not parse cleanly: the names are read in the text as it was.
 */
export function respelled(text: string): string {
  return text
    // `extension<T>(List<T> list) { }` is put as a class with parameters.
    .replace(/\bextension(?<=[{};]\s{0,999}extension)(?=(?:<[\w\s,<>?.]{1,200}>)?\s{0,99}\([^(){};]{1,400}\)[^(){};]{0,400}\{)/g, "class ext")
    // `*(int*)p = 1` is put as `p = 1`, `*p++ = 1` too.
    .replace(/\*\s{0,99}\(\s{0,99}[\w.]{1,200}\s{0,99}\*{1,9}\s{0,99}\)\s{0,99}&?(?=\s{0,99}[\w.]{1,200}\s{0,99}=(?![=>]))/g, blank)
    .replace(/\*\s{0,99}(?:\+\+|--)(?=\w{1,200}\s{0,99}=(?![=>]))/g, blank)
    .replace(/\*(\s{0,99}\w{1,200})(?:\+\+|--)(?=\s{0,99}=(?![=>]))/g, " $1  ")
    // `*(p + 1) = 1` as `_=p + 1 | 1`.
    .replace(/\*\(((?:[^();{}]|\([^();{}]{0,200}\)){1,200})\)(\s{0,99})=(?![=>])/g, "_=$1 $2|")
    // `*(int*)p` as `(int*)p`: pointers count as what they lead to.
    .replace(/\*(?=\s{0,99}\(\s{0,99}[\w.]{1,200}\s{0,99}\*{1,9}\s{0,99}\))/g, " ")
    .replace(/([;{}]\s{0,200})(?:required|async|partial)(?=\s{0,99}(?:[-+*/%&|^]?=(?!=)|[.([]|\+\+|--))/g, (whole, before: string) => `${before}_${whole.slice(before.length + 1)}`);
}

function blank(text: string): string {
  return text.replace(/[^\n\r]/g, " ");
}
