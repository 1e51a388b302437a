/** Code to read: CodeMirror with our own colours and links. Loaded when the first code is shown. */
import { codeFolding, foldGutter, foldKeymap, foldService } from "@codemirror/language";
import { highlightSelectionMatches, search, searchKeymap } from "@codemirror/search";
import { EditorState, MapMode, RangeSetBuilder, StateEffect, StateField, type ChangeSet, type Extension, type Text } from "@codemirror/state";
import { Decoration, EditorView, highlightSpecialChars, keymap, lineNumbers, scrollPastEnd, ViewPlugin, type DecorationSet, type ViewUpdate } from "@codemirror/view";
import type { FileAnswer } from "../../engine/view/symbol.ts";
import { tokenLines, type Token } from "../tokens.ts";
import { changesBetween } from "./changes.ts";
import { theme } from "./theme.ts";
import { strings } from "../strings.ts";
import { HIDDEN, visible } from "../visible.ts";

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

const NOTHING: Content = { language: "", links: [], line: 0, marked: undefined };

const setContent = StateEffect.define<Content>();

const content = StateField.define<Content>({
  create: () => NOTHING,
  update: (value, transaction) => transaction.effects.reduce((kept, effect) => (effect.is(setContent) ? effect.value : kept), value),
});

export class CodeEditor {
  private readonly view: EditorView;
  private readonly observer: ResizeObserver;
  private shown: FileAnswer;
  /** Where the code's upper edge was on the page when that was last painted. */
  private edge = 0;

  /** Begins with a file. To show it later would have the browser lay out the page for an empty editor first. */
  constructor(host: HTMLElement, events: EditorEvents, answer: FileAnswer, line: number, marked: Marked | undefined) {
    // In a shadow root its styles are adopted and no element, which the Content-Security-Policy would refuse.
    const root = host.attachShadow({ mode: "open" });
    const parent = document.createElement("div");
    parent.style.height = "100%";
    root.append(parent);
    const { file, content: text, language, links } = answer;
    const state = EditorState.create({ doc: text, extensions: [content.init(() => ({ language, links, line, marked })), ...extensions(events)] });
    this.shown = answer;
    this.view = new EditorView({ parent, root, state, scrollTo: atTop(state.doc, line) });
    this.view.contentDOM.setAttribute("aria-label", strings.code.codeOf(file));
    this.view.scrollDOM.addEventListener("scroll", () => events.onScroll(), { passive: true });
    this.observer = new ResizeObserver(() => (this.edge = this.top));
    this.observer.observe(this.view.scrollDOM);
  }

  /** Shows a file. Another answer about the same file comes after an edit, which leaves what is in view at its pixel of the page. */
  show(answer: FileAnswer, line: number, marked: Marked | undefined): void {
    const { view, shown } = this;
    const { file, content: text, language, links } = answer;
    const before = view.state.field(content);
    const effects = setContent.of({ language, links, line, marked });
    this.shown = answer;
    if (file !== shown.file) {
      view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text }, selection: { anchor: 0 }, effects });
      view.contentDOM.setAttribute("aria-label", strings.code.codeOf(file));
      this.look(line);
    } else if (answer === shown) {
      if (line === before.line && marked?.start === before.marked?.start && marked?.end === before.marked?.end) return;
      view.dispatch({ effects });
      if (line !== before.line && line > 0) this.look(line);
    } else {
      const changes = view.state.changes(changesBetween(view.state.doc.toString(), view.state.toText(text).toString()));
      const anchor = this.anchorOf(changes);
      view.dispatch({ changes, effects });
      view.scrollDOM.scrollTop = view.lineBlockAt(anchor.to).top + this.top - anchor.y;
      // To ask for a height draws what is in view now, which else waits for the scroll event.
      view.lineBlockAtHeight(view.scrollDOM.scrollTop);
      this.edge = this.top;
    }
  }

  /** Brings a line into view, with some above it: a doc comment, decorators. */
  look(line: number): void {
    this.view.dispatch({ effects: atTop(this.view.state.doc, line) });
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
    this.observer.disconnect();
    this.view.destroy();
  }

  /**
   * The line that an edit must not move on the screen: the declaration that is shown, else the first one of which at least half is in
   * view and that the edit has left.
   * Returns where its start is after the edit, and its pixel on the page.
   */
  private anchorOf(changes: ChangeSet): { to: number; y: number } {
    const { view, edge, scrollTop } = this;
    const { doc } = view.state;
    const end = scrollTop + view.scrollDOM.clientHeight;
    const first = view.lineBlockAtHeight(scrollTop + view.defaultLineHeight / 2);
    const blocks = [first];
    for (let last = first; last.bottom < end && last.to < doc.length; blocks.push(last)) last = view.lineBlockAt(last.to + 1);
    const { line } = view.state.field(content);
    const declared = line > 0 && line <= doc.lines ? doc.line(line).from : -1;
    const declaration = blocks.filter(({ from }) => from === declared);
    for (const { from, top } of [...declaration, ...blocks]) {
      const to = changes.mapPos(from, 1, MapMode.TrackAfter);
      if (to !== null) return { to, y: edge + top - scrollTop };
    }
    return { to: changes.mapPos(first.from, 1), y: edge + first.top - scrollTop };
  }
}

function atTop(doc: Text, line: number): StateEffect<unknown> {
  return EditorView.scrollIntoView(doc.line(Math.min(doc.lines, Math.max(1, line - 4))).from, { y: "start", yMargin: 0 });
}

/** What stands in the place of a character that nobody sees. */
function escape(code: number): HTMLElement {
  const element = document.createElement("span");
  element.className = "cm-specialChar";
  element.textContent = visible(String.fromCodePoint(code));
  return element;
}

function extensions(events: EditorEvents): Extension[] {
  return [
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
    highlightSpecialChars({ specialChars: new RegExp(HIDDEN), render: escape }),
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
      this.read(view.state, NOTHING, true);
      this.decorations = this.paint(view);
    }

    update(update: ViewUpdate): void {
      const now = update.state.field(content);
      const before = update.startState.field(content);
      this.read(update.state, before, update.docChanged);
      if (update.docChanged || update.viewportChanged || now !== before) this.decorations = this.paint(update.view);
    }

    private read(state: EditorState, before: Content, isOther: boolean): void {
      const { language, links } = state.field(content);
      if (isOther || language !== before.language) this.tokens = tokensOf(state.doc, language);
      if (links === before.links) return;
      this.byLine = new Map();
      for (const link of links) this.byLine.set(link.line, [...(this.byLine.get(link.line) ?? []), link]);
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
