import type { Draft } from "../../../flow/draft.ts";
import type { Pinning } from "../run/use-pins.ts";
import type { StepActions } from "./step-menu.tsx";
import type { Suggestions } from "./suggestions.ts";
import type { TestStep } from "./test-step.tsx";
import type { StepData } from "./use-step-data.ts";

/** What the panel and the wide view of a step share. */
export interface StepView {
  data: StepData;
  draft: Draft;
  suggestions: Suggestions;
  pinning: Pinning;
  test: TestStep;
  actions: StepActions;
  onOpenEdge: (edge: string) => void;
  /** Opens another step, by its node id. */
  onOpenNode: (nodeId: string) => void;
  onRename: (from: string, to: string) => void;
}
