import { EditorView } from "@codemirror/view";

const TOKENS = {
  ".t-comment": { color: "var(--code-comment)", fontStyle: "italic" },
  ".t-string": { color: "var(--code-string)" },
  ".t-keyword": { color: "var(--code-keyword)" },
  ".t-number": { color: "var(--code-number)" },
  ".t-call": { color: "var(--code-call)" },
};

/** The console for queries, with the list of what can stand at the cursor. */
export const consoleTheme = EditorView.theme({
  "&": { background: "var(--bg)", color: "var(--text)", fontSize: "13px", border: "1px solid var(--line-strong)", borderRadius: "var(--radius)", minHeight: "110px", maxHeight: "40vh" },
  "&.cm-focused": { outline: "2px solid var(--accent)", outlineOffset: "-1px" },
  ".cm-scroller": { fontFamily: "var(--mono)", lineHeight: "1.55", fontVariantLigatures: "none", minHeight: "108px" },
  ".cm-content": { padding: "9px 6px", caretColor: "var(--text)" },
  ".cm-cursor": { borderLeftColor: "var(--text)" },
  "&.cm-focused .cm-selectionBackground, .cm-selectionBackground": { background: "var(--mark) !important" },
  ".cm-tooltip": { background: "var(--raised)", border: "1px solid var(--line-strong)", borderRadius: "var(--radius)", boxShadow: "var(--shadow)", overflow: "hidden", zIndex: "30" },
  ".cm-tooltip.cm-tooltip-autocomplete > ul": { fontFamily: "var(--mono)", fontSize: "12px", maxHeight: "min(260px, 40vh)", maxWidth: "min(560px, 92vw)" },
  ".cm-tooltip.cm-tooltip-autocomplete > ul > li": { padding: "4px 10px", lineHeight: "1.5", color: "var(--text)" },
  ".cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]": { background: "var(--hover)", color: "var(--text)", boxShadow: "inset 2px 0 0 var(--accent)" },
  ".cm-completionMatchedText": { textDecoration: "none", fontWeight: "700", color: "var(--accent)" },
  ".cm-completionDetail": { fontFamily: "var(--sans)", fontStyle: "normal", fontSize: "11.5px", color: "var(--muted)", marginLeft: "12px" },
  ...TOKENS,
});

/** The colours are those of tokens.css, which reach into a shadow root. */
export const theme = EditorView.theme({
  "&": { height: "100%", background: "var(--bg)", color: "var(--text)", fontSize: "12px" },
  "&.cm-focused": { outline: "2px solid var(--accent)", outlineOffset: "-2px" },
  ".cm-scroller": { fontFamily: "var(--mono)", lineHeight: "var(--code-line)", fontVariantLigatures: "none", scrollbarWidth: "thin", scrollbarColor: "var(--line-strong) transparent" },
  ".cm-content": { padding: "0", caretColor: "transparent" },
  ".cm-line": { padding: "0 12px 0 6px" },
  ".cm-gutters": { background: "var(--bg)", color: "var(--faint)", border: "none" },
  ".cm-lineNumbers .cm-gutterElement": { padding: "0 2px 0 12px", minWidth: "42px" },
  ".cm-foldGutter .cm-gutterElement": { color: "var(--faint)", cursor: "pointer", padding: "0 2px" },
  ".cm-foldPlaceholder": { background: "var(--hover)", border: "1px solid var(--line-strong)", color: "var(--muted)", padding: "0 6px" },
  ".cm-line.marked": { background: "var(--line-mark)" },
  ".cm-line.at": { boxShadow: "inset 2px 0 0 var(--accent)" },
  ".cm-selectionMatch": { background: "var(--mark)" },
  ".cm-searchMatch": { background: "var(--mark)" },
  ".cm-searchMatch-selected": { background: "var(--accent-soft)", outline: "1px solid var(--accent)" },
  ".cm-panels": { background: "var(--raised)", color: "var(--text)", borderBottom: "1px solid var(--line-strong)" },
  ".cm-panel.cm-search": { fontFamily: "var(--sans)", fontSize: "12px", padding: "6px 8px" },
  ".cm-textfield": { background: "var(--bg)", border: "1px solid var(--line-strong)", borderRadius: "5px", color: "var(--text)" },
  ".cm-button": { background: "var(--hover)", backgroundImage: "none", border: "1px solid var(--line-strong)", borderRadius: "5px", color: "var(--text)" },
  ".cm-panel.cm-search [name=close]": { color: "var(--muted)" },
  ".link": { cursor: "pointer", textDecoration: "underline", textDecorationColor: "var(--faint)", textUnderlineOffset: "3px" },
  ".link:hover": { textDecorationColor: "var(--accent)", textDecorationThickness: "2px" },
  ".declared": { fontWeight: "650", cursor: "pointer" },
  ...TOKENS,
});
