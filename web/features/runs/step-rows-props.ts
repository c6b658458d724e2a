import type { ReactNode } from "react";
import type { Step } from "../../../contract/graph.ts";
import type { StepProgress } from "../../flow/run-progress.ts";

export interface StepRowsProps {
  /** Undefined when the version of the run no longer exists. */
  step: Step | undefined;
  path: string;
  depth: number;
  progress: StepProgress | undefined;
  /** Why the step has no result. */
  reason: string;
  /** Shown below the row of a step that waits for a decision. */
  decision?: ReactNode;
}
