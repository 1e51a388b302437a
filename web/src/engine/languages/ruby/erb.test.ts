import { describe, expect, it } from "vitest";
import { extract } from "../../../../test/languages.ts";
import { codeOf } from "./erb.ts";
import { ruby } from "./index.ts";

const errors = async (text: string): Promise<number> => (await extract(ruby, "a.html.erb", text)).syntaxErrors;

describe("the code of a template", () => {
  it.each([
    ["text is blank", "<p>é𝒳</p>\r\n\t<b>", "          \r\n    "],
    ["code stands where it stood", "a<% b %>c", "    b ;  "],
    ["what is written out is an expression", "<%= b %><%== c %>", "    b ;      c ; "],
    ["minus signs of tags are none of the code", "<%- b -%><%=-c%>", "    b  ;    -c; "],
    ["comments are blank", "<%# b\n c %><%#= d %>", "     \n              "],
    ["a tag's end ends a comment", "<% # b -%><% c # d %><%=e%>", "        ;    c     ;    e; "],
    ["a comment before it ends with its line", "<% b # 'c\n d # e\n%>", "   b # 'c\n d # e\n; "],
    ["texts have no comments", "<%= \"a # b\" + 'c \\' # d' %>", "    \"a # b\" + 'c \\' # d' ; "],
    ["a doubled percent sign is text", "<%% b %>", "        "],
    ["what is not ended is text", "a <% b", "      "],
    ["no tag is within another", "<% b <% c %> d %>", "   b <% c ;      "],
    ["a tag may be empty", "<%%><%-%><%=%>", "       ;    ; "],
  ])("%s", (_, text, code) => {
    expect(codeOf(text)).toBe(code);
  });

  it("is as long as the text, with its line breaks", () => {
    const pieces = ["<%", "%>", "<%=", "-%>", "<%#", "<%%", "%", "=", "-", "\n", "\r\n", " ", "#", "\"", "'", "`", "\\", "a", "é", "𝒳", "<", ">", "do |x|", "end", "#{"];
    let seed = 11;
    const random = (below: number): number => (seed = (seed * 1103515245 + 12345) % 2147483648) % below;
    for (let n = 0; n < 3000; n++) {
      const text = Array.from({ length: random(30) }, () => pieces[random(pieces.length)]!).join("");
      const code = codeOf(text);
      expect(code).toHaveLength(text.length);
      expect(code.replace(/[^\r\n]/g, "-")).toBe(text.replace(/[^\r\n]/g, "-"));
    }
  });

  it("takes time by its length alone", () => {
    for (const piece of ["<%", "%>", "<%=", "<%#", "<% # %>", "<% \"#\" %>", "<%'# %>", "\"", "<% #\n", "<%-%>", "\n"]) {
      const text = piece.repeat(Math.ceil(300_000 / piece.length));
      const started = performance.now();
      expect(codeOf(text)).toHaveLength(text.length);
      expect(performance.now() - started, piece).toBeLessThan(2000);
    }
  });

  it.each([
    "<% if a %>x<% elsif b %>y<% else %>z<% end %>",
    "<% case a %>\n  text \n<% when 1, 2 %>x<% when 3 then %>y<% else %>z<% end %>",
    "<% begin %>x<% rescue A => e %>y<% ensure %>z<% end %>",
    "<% while a %>x<% end %><% for b in c do %>y<% end %><% until d do %>z<% end %>",
    "<%= form_with(a) do |f| %><%= f.b :c %><% end %><%= d { |e| %>x<% } %>",
    "<% a = capture do %>x<% end %><% b = ->(c) do %>y<% end %><% d = [1,\n 2].map do |e| -%>z<% end.join %>",
    "<%= yield %><%= yield :a %><% return unless a; %><% ; %><% %><%= a if b %>",
    "<%= { a: 1 }.to_json %><%= a ? b : c %><%= a [1] %><%= -1 %><%= a\n  .b %>",
  ])("has no syntax errors: %s", async (text) => {
    expect(await errors(text)).toBe(0);
  });
});
