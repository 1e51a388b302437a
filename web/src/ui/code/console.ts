/** Where a Cypher query is written: CodeMirror with completion from the schema of what is loaded. Evaluated when the console is shown first. */
import { autocompletion, completionKeymap, type CompletionContext, type CompletionResult } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { EditorState, RangeSetBuilder } from "@codemirror/state";
import { Decoration, drawSelection, EditorView, keymap, ViewPlugin, type DecorationSet } from "@codemirror/view";
import { tokenLines } from "../tokens.ts";
import { suggest, type CypherSchema } from "./cypher-words.ts";
import { consoleTheme } from "./theme.ts";

export interface ConsoleEvents {
  onRun(): void;
  /** undefined while it is not known. */
  schema(): CypherSchema | undefined;
}

export class QueryConsole {
  private readonly view: EditorView;

  constructor(host: HTMLElement, text: string, label: string, events: ConsoleEvents) {
    // In a shadow root its styles are adopted and no element, which the Content-Security-Policy would refuse.
    const root = host.attachShadow({ mode: "open" });
    const parent = document.createElement("div");
    root.append(parent);
    const complete = ({ state, pos, explicit }: CompletionContext): CompletionResult | null => {
      const schema = events.schema();
      const found = schema && suggest(state.doc.toString(), pos, schema, explicit);
      return found ? { from: found.from, options: found.options.map(({ label: name, detail, apply }) => ({ label: name, detail, ...(apply === undefined ? {} : { apply }) })), validFor: /^\w*$/u } : null;
    };
    this.view = new EditorView({
      parent, root,
      state: EditorState.create({
        doc: text,
        extensions: [
          history(), drawSelection(), EditorView.lineWrapping, painter, consoleTheme,
          autocompletion({ override: [complete], icons: false }),
          EditorView.contentAttributes.of({ id: "query", role: "textbox", "aria-multiline": "true", "aria-label": label, spellcheck: "false" }),
          keymap.of([
            { key: "Mod-Enter", run: () => (events.onRun(), true) },
            ...completionKeymap, ...historyKeymap, ...defaultKeymap,
          ]),
        ],
      }),
    });
  }

  get text(): string {
    return this.view.state.doc.toString();
  }

  set text(text: string) {
    this.view.dispatch({ changes: { from: 0, to: this.view.state.doc.length, insert: text }, selection: { anchor: text.length } });
    this.view.focus();
  }

  /** In place of the selection. */
  insert(text: string): void {
    this.view.dispatch(this.view.state.replaceSelection(text));
    this.view.focus();
  }

  dispose(): void {
    this.view.destroy();
  }
}

/** Colours of the whole query, which is short. */
const painter = ViewPlugin.fromClass(class {
  decorations: DecorationSet;
  constructor(view: EditorView) {
    this.decorations = paint(view.state);
  }
  update({ docChanged, state }: { docChanged: boolean; state: EditorState }): void {
    if (docChanged) this.decorations = paint(state);
  }
}, { decorations: (plugin) => plugin.decorations });

function paint({ doc }: EditorState): DecorationSet {
  const builder = new RangeSetBuilder<Decoration>();
  tokenLines(doc.toString().split("\n"), "cypher").forEach((tokens, i) => {
    let at = doc.line(i + 1).from;
    for (const { kind, text } of tokens) {
      if (kind !== "plain") builder.add(at, at + text.length, Decoration.mark({ class: `t-${kind}` }));
      at += text.length;
    }
  });
  return builder.finish();
}
