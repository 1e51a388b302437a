/** Code to read: CodeMirror with our own colours and links. Loaded when the first code is shown. */
import { codeFolding, foldGutter, foldKeymap, foldService } from "@codemirror/language";
import { highlightSelectionMatches, search, searchKeymap } from "@codemirror/search";
import { EditorState, RangeSetBuilder, StateEffect, StateField, type Extension, type Text } from "@codemirror/state";
import { Decoration, EditorView, keymap, lineNumbers, scrollPastEnd, ViewPlugin, type DecorationSet, type ViewUpdate } from "@codemirror/view";
import type { FileAnswer } from "../../engine/view/symbol.ts";
import { tokenLines, type Token } from "../tokens.ts";
import { theme } from "./theme.ts";
import { strings } from "../strings.ts";

/** Lines that are coloured; longer files stay plain. */
const COLOURED = 30_000;
/** Characters of a line that are looked at for colours and links. */
const WIDEST = 2_000;

export interface Marked {
  start: number;
  end: number;
}

interface Content {
  language: string;
  links: FileAnswer["links"];
  /** The line to look at; 0 for none. */
  line: number;
  marked: Marked | undefined;
}

export interface EditorEvents {
  onLink(id: string): void;
  onScroll(): void;
}

const setContent = StateEffect.define<Content>();

const content = StateField.define<Content>({
  create: () => ({ language: "", links: [], line: 0, marked: undefined }),
  update: (value, transaction) => transaction.effects.reduce((kept, effect) => (effect.is(setContent) ? effect.value : kept), value),
});

export class CodeEditor {
  private readonly view: EditorView;
  private file = "";

  constructor(host: HTMLElement, events: EditorEvents) {
    // In a shadow root its styles are adopted and no element, which the Content-Security-Policy would refuse.
    const root = host.attachShadow({ mode: "open" });
    const parent = document.createElement("div");
    parent.style.height = "100%";
    root.append(parent);
    this.view = new EditorView({ parent, root, state: EditorState.create({ extensions: extensions(events) }) });
    this.view.scrollDOM.addEventListener("scroll", () => events.onScroll(), { passive: true });
  }

  /** Shows a file; of the one that is shown already only what is different, so that everything stays in its place. */
  show({ file, content: text, language, links }: FileAnswer, line: number, marked: Marked | undefined): void {
    const { view } = this;
    const same = file === this.file;
    const before = view.state.field(content);
    this.file = file;
    view.dispatch({
      ...(same ? { changes: difference(view.state.doc.toString(), text) } : { changes: { from: 0, to: view.state.doc.length, insert: text }, selection: { anchor: 0 } }),
      effects: setContent.of({ language, links, line, marked }),
    });
    view.contentDOM.setAttribute("aria-label", strings.code.codeOf(file));
    // A declaration that an edit has moved is no other place.
    if (!same || (line !== before.line && line > 0 && !this.isMoved(before, marked))) this.look(line);
  }

  /** Brings a line into view, with some above it: a doc comment, decorators. */
  look(line: number): void {
    const { doc } = this.view.state;
    const at = doc.line(Math.min(doc.lines, Math.max(1, line - 4))).from;
    this.view.dispatch({ effects: EditorView.scrollIntoView(at, { y: "start", yMargin: 0 }) });
  }

  /** Pixels of a line's top from the top of what can be scrolled. */
  topOf(line: number): number {
    const { doc } = this.view.state;
    return this.view.lineBlockAt(doc.line(Math.min(doc.lines, Math.max(1, line))).from).top + this.view.documentPadding.top;
  }

  /** Pixels of the code's upper edge from that of the page. */
  get top(): number {
    return this.view.scrollDOM.getBoundingClientRect().top;
  }

  get scrollTop(): number {
    return this.view.scrollDOM.scrollTop;
  }

  scrollBy(pixels: number): void {
    this.view.scrollDOM.scrollTop += pixels;
  }

  dispose(): void {
    this.view.destroy();
  }

  private isMoved(before: Content, marked: Marked | undefined): boolean {
    return before.marked !== undefined && marked !== undefined && before.line - before.marked.start === this.view.state.field(content).line - marked.start;
  }
}

/** The one change that makes a text another. */
function difference(a: string, b: string): { from: number; to: number; insert: string } | [] {
  if (a === b) return [];
  let start = 0;
  while (start < a.length && a[start] === b[start]) start++;
  let end = 0;
  while (end < a.length - start && end < b.length - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end++;
  return { from: start, to: a.length - end, insert: b.slice(start, b.length - end) };
}

function extensions(events: EditorEvents): Extension[] {
  return [
    content,
    EditorState.readOnly.of(true),
    EditorView.editable.of(false),
    EditorView.contentAttributes.of({ tabindex: "0", role: "textbox", "aria-readonly": "true", "aria-multiline": "true" }),
    EditorState.tabSize.of(4),
    lineNumbers(),
    codeFolding({ placeholderText: "…" }),
    foldGutter({ openText: "▾", closedText: "▸" }),
    foldService.of((state, from) => foldAt(state.doc, from)),
    search({ top: true }),
    highlightSelectionMatches(),
    scrollPastEnd(),
    keymap.of([
      ...searchKeymap, ...foldKeymap,
      { key: "Mod-a", run: (view) => (view.dispatch({ selection: { anchor: 0, head: view.state.doc.length } }), true) },
    ]),
    theme,
    painter(),
    EditorView.domEventHandlers({
      click: (event) => {
        const target = event.target instanceof Element ? event.target.closest<HTMLElement>("[data-id]") : null;
        if (!target?.dataset["id"] || getSelection()?.isCollapsed === false) return false;
        events.onLink(target.dataset["id"]);
        return true;
      },
    }),
  ];
}

/** What is indented below a line folds, with the line that closes it left. */
function foldAt(doc: Text, from: number): { from: number; to: number } | null {
  const line = doc.lineAt(from);
  const own = indentOf(line.text);
  if (own < 0) return null;
  let last = line.number;
  for (let n = line.number + 1; n <= doc.lines; n++) {
    const indent = indentOf(doc.line(n).text);
    if (indent < 0) continue;
    if (indent <= own) break;
    last = n;
  }
  return last === line.number ? null : { from: line.to, to: doc.line(last).to };
}

/** -1 for an empty line. */
function indentOf(text: string): number {
  const at = text.search(/\S/u);
  return at < 0 ? -1 : text.slice(0, at).replace(/\t/gu, "    ").length;
}

/** Colours, links and marks of the lines in view. */
function painter(): Extension {
  return ViewPlugin.fromClass(class {
    decorations: DecorationSet;
    private tokens: Token[][] = [];
    private byLine = new Map<number, FileAnswer["links"]>();

    constructor(view: EditorView) {
      this.decorations = this.paint(view);
    }

    update(update: ViewUpdate): void {
      const now = update.state.field(content);
      const before = update.startState.field(content);
      if (update.docChanged || now.language !== before.language) this.tokens = tokensOf(update.state.doc, now.language);
      if (now.links !== before.links) {
        this.byLine = new Map();
        for (const link of now.links) this.byLine.set(link.line, [...(this.byLine.get(link.line) ?? []), link]);
      }
      if (update.docChanged || update.viewportChanged || now !== before) this.decorations = this.paint(update.view);
    }

    private paint(view: EditorView): DecorationSet {
      const builder = new RangeSetBuilder<Decoration>();
      const { doc } = view.state;
      const { line: at, marked } = view.state.field(content);
      for (const { from, to } of view.visibleRanges) {
        for (let n = doc.lineAt(from).number; n <= doc.lines; n++) {
          const line = doc.line(n);
          if (line.from > to) break;
          const inMark = marked !== undefined && n >= marked.start && n <= marked.end;
          builder.add(line.from, line.from, Decoration.line({ class: `code-line${inMark ? " marked" : ""}${n === at ? " at" : ""}` }));
          for (const { start, end, decoration } of marksOf(line.text.slice(0, WIDEST), this.tokens[n - 1] ?? [], this.byLine.get(n) ?? [])) {
            builder.add(line.from + start, line.from + end, decoration);
          }
        }
      }
      return builder.finish();
    }
  }, { decorations: (plugin) => plugin.decorations });
}

function tokensOf(doc: Text, language: string): Token[][] {
  return doc.lines > COLOURED ? [] : tokenLines(doc.toString().split("\n").map((text) => text.slice(0, WIDEST)), language);
}

interface Mark {
  start: number;
  end: number;
  decoration: Decoration;
}

/** Token colours and links of one line, in order. A name of a link is found where it stands as a word. */
function marksOf(text: string, tokens: readonly Token[], links: FileAnswer["links"]): Mark[] {
  const marks: Mark[] = [];
  const taken: { start: number; end: number }[] = [];
  for (const { name, id, declares } of links) {
    if (name === "") continue;
    for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + name.length)) {
      const end = at + name.length;
      const alone = !/[\p{L}\p{N}_$]/u.test(text.charAt(at - 1)) && !/[\p{L}\p{N}_$]/u.test(text.charAt(end));
      if (!alone || taken.some((other) => other.start < end && at < other.end)) continue;
      taken.push({ start: at, end });
      marks.push({ start: at, end, decoration: Decoration.mark({ class: declares ? "declared" : "link", attributes: { "data-id": id, title: declares ? id : strings.editor.goTo(id) } }) });
      if (declares) break;
    }
  }
  let at = 0;
  for (const { kind, text: part } of tokens) {
    if (kind !== "plain") marks.push({ start: at, end: at + part.length, decoration: Decoration.mark({ class: `t-${kind}` }) });
    at += part.length;
  }
  return marks.sort((a, b) => a.start - b.start || b.end - a.end);
}
