import { acceptCompletion, autocompletion, completionKeymap } from "@codemirror/autocomplete";
import { history, historyKeymap, isolateHistory, standardKeymap } from "@codemirror/commands";
import { EditorState } from "@codemirror/state";
import { drawSelection, EditorView, keymap, placeholder, tooltips } from "@codemirror/view";
import { scopeOptions, type StepScope } from "../../../flow/step-scope.ts";
import { chipDecorations, setScope } from "./chip-decorations.ts";
import { acceptDroppedValues, fromForm, reportChanges, setFormText } from "./form-text.ts";
import {
  type EditorMode,
  replaceWithValue,
  sampleColumn,
  valueCompletion,
  valueText,
} from "./value-completion.ts";

export interface ValueEditorOptions {
  parent: HTMLElement;
  value: string;
  mode: EditorMode;
  multiline: boolean;
  example: string | undefined;
  scope: StepScope;
  /** The id, the label and the description of the text box. */
  attributes: Record<string, string>;
  onChange: (text: string) => void;
  onFocus: () => void;
}

/** A text box with completion of values. The text is the value; chips are only how it is shown. */
export interface ValueEditor {
  setText: (text: string) => void;
  setScope: (scope: StepScope) => void;
  setAttributes: (attributes: Record<string, string>) => void;
  insert: (path: string) => void;
  focus: () => void;
  destroy: () => void;
}

export function createValueEditor(options: ValueEditorOptions): ValueEditor {
  const { mode, multiline } = options;
  let { scope } = options;
  const view = new EditorView({
    parent: options.parent,
    state: EditorState.create({
      doc: options.value,
      extensions: [
        history(),
        undoneAlone,
        drawSelection(),
        EditorView.lineWrapping,
        ...(mode === "template" ? [chipDecorations(scope)] : []),
        ...(options.example === undefined ? [] : [placeholder(options.example)]),
        ...(multiline ? [] : [oneLine]),
        autocompletion({
          override: [valueCompletion(mode, () => scopeOptions(scope))],
          icons: false,
          // The list opens only on request, so Enter right after typing means its first value.
          interactionDelay: 0,
          addToOptions: [sampleColumn],
          tooltipClass: () => "ph-options",
        }),
        // The panel scrolls and clips; the list of values must not be clipped with it.
        tooltips({ parent: document.body, position: "fixed" }),
        keymap.of([
          ...completionKeymap,
          { key: "Tab", run: acceptCompletion },
          ...(multiline ? [] : [{ key: "Enter", run: () => true }]),
          ...historyKeymap,
          ...standardKeymap,
        ]),
        EditorView.contentAttributes.of({
          ...options.attributes,
          "aria-multiline": String(multiline),
          spellcheck: multiline && mode === "template" ? "true" : "false",
        }),
        reportChanges(options),
        acceptDroppedValues((self, at, path) =>
          replaceWithValue(self, { from: at, to: at }, valueText(path, mode)),
        ),
      ],
    }),
  });
  return {
    setText: (text) => setFormText(view, text),
    setScope(next) {
      if (next === scope) return;
      scope = next;
      view.dispatch({ effects: setScope.of(next) });
    },
    setAttributes(attributes) {
      for (const name of ["aria-invalid", "aria-describedby"]) {
        const value = attributes[name];
        if (value === undefined) view.contentDOM.removeAttribute(name);
        else view.contentDOM.setAttribute(name, value);
      }
    },
    insert(path) {
      const { from, to } = view.state.selection.main;
      replaceWithValue(view, { from, to }, valueText(path, mode));
      view.focus();
    },
    focus() {
      view.focus();
      view.dispatch({ selection: { anchor: view.state.doc.length } });
    },
    destroy: () => view.destroy(),
  };
}

/** Pasted line breaks become spaces. */
const oneLine = EditorState.transactionFilter.of((transaction) => {
  if (!transaction.docChanged || transaction.newDoc.lines === 1) return transaction;
  const text = transaction.newDoc.toString().replaceAll(/\s*\n\s*/g, " ");
  return [
    {
      changes: { from: 0, to: transaction.startState.doc.length, insert: text },
      selection: { anchor: Math.min(transaction.newSelection.main.head, text.length) },
      annotations: transaction.annotation(fromForm) === true ? [fromForm.of(true)] : [],
    },
  ];
});

/** Deleting a placeholder, or a selection, is undone by itself, not together with what was typed just before. */
const undoneAlone = EditorState.transactionExtender.of((transaction) => {
  if (!transaction.isUserEvent("delete")) return null;
  let removed = 0;
  transaction.changes.iterChanges((from, to) => {
    removed += to - from;
  });
  return removed > 1 ? { annotations: isolateHistory.of("full") } : null;
});
