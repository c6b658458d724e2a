import { Annotation, type Extension } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import { VALUE_MIME } from "./scope-context.ts";

/** Marks text that the form sets, so that it is not reported back as typed. */
export const fromForm = Annotation.define<boolean>();

export function setFormText(view: EditorView, text: string): void {
  const current = view.state.doc.toString();
  if (text === current) return;
  view.dispatch({
    changes: { from: 0, to: current.length, insert: text },
    selection: { anchor: Math.min(view.state.selection.main.head, text.length) },
    annotations: fromForm.of(true),
  });
}

interface FormTextEvents {
  /** The user has changed the text. */
  onChange: (text: string) => void;
  onFocus: () => void;
}

export function reportChanges({ onChange, onFocus }: FormTextEvents): Extension {
  return EditorView.updateListener.of((update) => {
    if (update.docChanged && !update.transactions.some((one) => one.annotation(fromForm) === true))
      onChange(update.state.doc.toString());
    if (update.focusChanged && update.view.hasFocus) onFocus();
  });
}

/** Inserts a value that is dragged from the tree of values. */
export function acceptDroppedValues(
  insert: (view: EditorView, position: number, path: string) => void,
): Extension {
  return EditorView.domEventHandlers({
    drop(event, view) {
      const path = event.dataTransfer?.getData(VALUE_MIME) ?? "";
      if (path === "") return false;
      event.preventDefault();
      const position = view.posAtCoords({ x: event.clientX, y: event.clientY }) ?? view.state.doc.length;
      insert(view, position, path);
      view.focus();
      return true;
    },
  });
}
