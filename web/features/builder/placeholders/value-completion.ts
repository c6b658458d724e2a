import type { Completion, CompletionContext, CompletionResult } from "@codemirror/autocomplete";
import type { EditorView } from "@codemirror/view";
import { asExpression } from "../../../flow/pickable-values.ts";
import { matchingOptions, type ScopeOption } from "../../../flow/step-scope.ts";
import { sampleText } from "../../../flow/value-shape.ts";

/** How a value is written: in braces in text, by its path in an expression. */
export type EditorMode = "template" | "expression";

export function valueText(path: string, mode: EditorMode): string {
  return mode === "template" ? `{{${path}}}` : asExpression(path);
}

// An @ inside a word is an address, such as ada@example.com, and is left alone.
const TYPED = {
  template: /\{\{\s*[^{}]*$|(?<![\p{L}\p{N}._%+-])@[^\s@{}]*$/u,
  expression: /(?<![\p{L}\p{N}._%+-])@[^\s@]*$/u,
};

/** Offers values after `@` and `{{`. Text that matches no value stays as it was typed. */
export function valueCompletion(mode: EditorMode, options: () => readonly ScopeOption[]) {
  return (context: CompletionContext): CompletionResult | null => {
    const typed = context.matchBefore(TYPED[mode]);
    if (typed === null && !context.explicit) return null;
    const found = matchingOptions(options(), (typed?.text ?? "").replace(/^(\{\{|@)/, ""));
    if (found.length === 0) return null;
    return {
      from: typed?.from ?? context.pos,
      filter: false,
      options: found.map((option): Completion & { sample: string } => ({
        label: option.label,
        sample: option.hasSample ? sampleText(option.sample) : "no value yet",
        apply: (view, _completion, from, to) =>
          replaceWithValue(view, { from, to }, valueText(option.path, mode)),
      })),
    };
  };
}

export function replaceWithValue(
  view: EditorView,
  { from, to }: { from: number; to: number },
  insert: string,
): void {
  // `{{` may have been typed in front of a closing `}}`.
  const isClosed = insert.endsWith("}}") && view.state.sliceDoc(to, to + 2) === "}}";
  view.dispatch({
    changes: { from, to: isClosed ? to + 2 : to, insert },
    selection: { anchor: from + insert.length },
    userEvent: "input.complete",
    scrollIntoView: true,
  });
}

/** The sample at the right of an option. */
export const sampleColumn = {
  position: 80,
  render(completion: Completion): Node {
    const sample = document.createElement("span");
    sample.className = "ph-sample";
    sample.textContent = (completion as Completion & { sample?: string }).sample ?? "";
    return sample;
  },
};
