import { autocompletion, type CompletionContext, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { javascript } from "@codemirror/lang-javascript";
import { bracketMatching, indentOnInput, syntaxHighlighting, syntaxTree } from "@codemirror/language";
import { type Diagnostic, linter } from "@codemirror/lint";
import { EditorState, StateEffect, StateField } from "@codemirror/state";
import {
  Decoration,
  drawSelection,
  EditorView,
  keymap,
  lineNumbers,
  placeholder,
  tooltips,
} from "@codemirror/view";
import { classHighlighter } from "@lezer/highlight";
import { asScript } from "../../../flow/script-path.ts";
import { type ScopeOption, scopeOptions, type StepScope } from "../../../flow/step-scope.ts";
import { sampleText } from "../../../flow/value-shape.ts";
import { acceptDroppedValues, reportChanges, setFormText } from "../placeholders/form-text.ts";
import { sampleColumn } from "../placeholders/value-completion.ts";

export interface CodeEditorOptions {
  parent: HTMLElement;
  value: string;
  scope: StepScope;
  /** The id, the label and the description of the text box. */
  attributes: Record<string, string>;
  onChange: (text: string) => void;
  onFocus: () => void;
}

export interface CodeEditor {
  setText: (text: string) => void;
  setScope: (scope: StepScope) => void;
  /** The line on which the last run failed, from 1; it is marked until the code changes. */
  setErrorLine: (line: number | undefined) => void;
  /** Moves the caret to a line. */
  goTo: (line: number) => void;
  insert: (path: string) => void;
  focus: () => void;
  destroy: () => void;
}

/** An editor for JavaScript and TypeScript, with completion of the values that the last run had. */
export function createCodeEditor(options: CodeEditorOptions): CodeEditor {
  let { scope } = options;
  const language = javascript({ typescript: true });
  const view = new EditorView({
    parent: options.parent,
    state: EditorState.create({
      doc: options.value,
      extensions: [
        history(),
        drawSelection(),
        lineNumbers(),
        placeholder(scope.insideLoop ? "return item;" : "return input;"),
        indentOnInput(),
        bracketMatching(),
        language,
        syntaxHighlighting(classHighlighter),
        linter(firstSyntaxError, { delay: 500 }),
        errorLine,
        language.language.data.of({
          autocomplete: (context: CompletionContext) => completeValues(context, scopeOptions(scope)),
        }),
        autocompletion({ icons: false, addToOptions: [sampleColumn], tooltipClass: () => "ph-options" }),
        // The panel scrolls and clips; the list of values must not be clipped with it.
        tooltips({ parent: document.body, position: "fixed" }),
        keymap.of([...completionKeymap, indentWithTab, ...historyKeymap, ...defaultKeymap]),
        EditorView.contentAttributes.of(options.attributes),
        reportChanges(options),
        acceptDroppedValues((self, from, path) =>
          self.dispatch({ changes: { from, insert: asScript(path) } }),
        ),
        EditorView.domEventHandlers({ keydown: keepFirstEscape() }),
      ],
    }),
  });
  return {
    setText: (text) => setFormText(view, text),
    setScope(next) {
      scope = next;
    },
    setErrorLine: (line) => view.dispatch({ effects: setErrorLine.of(line) }),
    goTo(line) {
      const { from } = view.state.doc.line(Math.min(line, view.state.doc.lines));
      view.dispatch({ selection: { anchor: from }, scrollIntoView: true });
      view.focus();
    },
    insert(path) {
      view.dispatch(view.state.replaceSelection(asScript(path)));
      view.focus();
    },
    focus: () => view.focus(),
    destroy: () => view.destroy(),
  };
}

/** Escape lets the next Tab leave the editor; a second Escape closes the panel, as everywhere. */
function keepFirstEscape(): (event: KeyboardEvent) => boolean {
  let wasEscape = false;
  return (event) => {
    if (event.key === "Escape" && !wasEscape) event.stopPropagation();
    wasEscape = event.key === "Escape";
    return false;
  };
}

const TYPED_PATH = /[\p{L}_$][\p{L}\p{N}_$.[\]"'-]*$/u;

function completeValues(context: CompletionContext, values: readonly ScopeOption[]) {
  const typed = context.matchBefore(TYPED_PATH);
  if (typed === null && !context.explicit) return null;
  return {
    from: typed?.from ?? context.pos,
    options: values
      .filter(({ path }) => !path.startsWith("secrets"))
      .map(({ path, hasSample, sample }) => ({
        label: asScript(path),
        sample: hasSample ? sampleText(sample) : "no value yet",
      })),
    validFor: TYPED_PATH,
  };
}

/** The engine names the error when the code runs; here its place is enough. */
function firstSyntaxError(view: EditorView): Diagnostic[] {
  const found: Diagnostic[] = [];
  syntaxTree(view.state).iterate({
    enter({ type, from, to }) {
      if (!type.isError || found.length > 0) return;
      const end = Math.min(Math.max(to, from + 1), view.state.doc.length);
      found.push({ from: Math.min(from, end), to: end, severity: "error", message: "Syntax error" });
    },
  });
  return found;
}

const setErrorLine = StateEffect.define<number | undefined>();
const failedLine = Decoration.line({ class: "cm-failed-line" });
const errorLine = StateField.define({
  create: () => Decoration.none,
  update(marks, transaction) {
    if (transaction.docChanged) return Decoration.none;
    for (const effect of transaction.effects) {
      if (!effect.is(setErrorLine)) continue;
      const { doc } = transaction.state;
      return effect.value === undefined || effect.value > doc.lines
        ? Decoration.none
        : Decoration.set(failedLine.range(doc.line(effect.value).from));
    }
    return marks;
  },
  provide: (field) => EditorView.decorations.from(field),
});
