import { type EditorState, type Extension, StateEffect, StateField } from "@codemirror/state";
import { Decoration, type DecorationSet, EditorView, WidgetType } from "@codemirror/view";
import { chipLabel, findChips } from "../../../flow/chips.ts";
import { referenceProblem } from "../../../flow/reference-problems.ts";
import type { StepScope } from "../../../flow/step-scope.ts";

/** Replaces what placeholders mean, when another step runs or is renamed. */
export const setScope = StateEffect.define<StepScope>();

class ChipWidget extends WidgetType {
  private readonly source: string;
  private readonly label: string;
  private readonly problem: string | undefined;

  constructor(source: string, label: string, problem: string | undefined) {
    super();
    this.source = source;
    this.label = label;
    this.problem = problem;
  }

  override eq(other: ChipWidget): boolean {
    return other.source === this.source && other.label === this.label && other.problem === this.problem;
  }

  override toDOM(): HTMLElement {
    const chip = document.createElement("span");
    chip.className = this.problem === undefined ? "ph-chip" : "ph-chip unknown";
    chip.dataset["placeholder"] = this.source;
    chip.title = this.problem ?? this.source;
    chip.textContent = this.label;
    return chip;
  }
}

interface Chips {
  scope: StepScope;
  decorations: DecorationSet;
}

function decorate(state: EditorState, scope: StepScope): DecorationSet {
  const text = state.doc.toString();
  return Decoration.set(
    findChips(text).map(({ start, end, reference }) =>
      Decoration.replace({
        widget: new ChipWidget(
          text.slice(start, end),
          chipLabel(reference, scope.titles),
          referenceProblem(reference, scope)?.message,
        ),
      }).range(start, end),
    ),
  );
}

/** Shows every placeholder as a chip in words. The caret passes it, and Backspace deletes it, as one character. */
export function chipDecorations(scope: StepScope): Extension {
  const field = StateField.define<Chips>({
    create: (state) => ({ scope, decorations: decorate(state, scope) }),
    update(chips, { docChanged, effects, state }) {
      const next = effects.find((effect) => effect.is(setScope))?.value ?? chips.scope;
      return docChanged || next !== chips.scope ? { scope: next, decorations: decorate(state, next) } : chips;
    },
    provide: (self) => [
      EditorView.decorations.from(self, ({ decorations }) => decorations),
      EditorView.atomicRanges.of((view) => view.state.field(self, false)?.decorations ?? Decoration.none),
    ],
  });
  return field;
}
