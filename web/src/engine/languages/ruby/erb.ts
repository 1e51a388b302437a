/**
 * The Ruby of a template, in the places where it stands: as long as the text and with its line breaks, all else blank. A `;` stands where a tag
 * with code ends, so that each is a statement, or a part of one: `<% list.each do |x| %>`.
 */
export function codeOf(text: string): string {
  const parts: string[] = [];
  let at = 0;
  for (let open = text.indexOf("<%"); open >= 0; open = text.indexOf("<%", at)) {
    const begin = open + 2;
    // `<%%` is text.
    const end = text[begin] === "%" ? begin + 1 : text.indexOf("%>", begin);
    if (end < 0) break;
    parts.push(blank(text.slice(at, open)));
    at = end;
    if (text[begin] === "%" || text[begin] === "#") {
      parts.push(blank(text.slice(open, end)));
      continue;
    }
    const code = begin + (text.startsWith("==", begin) ? 2 : text[begin] === "=" || text[begin] === "-" ? 1 : 0);
    // What ends with `-%>` takes the line's end with it.
    const last = text[end - 1] === "-" && end > code ? end - 1 : end;
    const ruby = text.slice(code, last);
    const comment = commentIn(ruby);
    parts.push(blank(text.slice(open, code)), ruby.slice(0, comment), blank(text.slice(code + comment, end)), "; ");
    at = end + 2;
  }
  parts.push(blank(text.slice(at)));
  return parts.join("");
}

function blank(text: string): string {
  return text.replace(/[^\r\n]+/g, (line) => " ".repeat(line.length));
}

/** Where a comment begins that the tag's end ends, before its line does; the end where there is none. */
function commentIn(ruby: string): number {
  if (!ruby.includes("#")) return ruby.length;
  let quote = "";
  for (let at = 0; at < ruby.length; at++) {
    const char = ruby[at]!;
    if (quote !== "") {
      if (char === "\\") at++;
      else if (char === quote) quote = "";
    } else if (char === "\"" || char === "'" || char === "`") {
      quote = char;
    } else if (char === "#" && (at === 0 || /\s/.test(ruby[at - 1]!))) {
      const line = ruby.indexOf("\n", at);
      if (line < 0) return at;
      at = line;
    }
  }
  return ruby.length;
}
