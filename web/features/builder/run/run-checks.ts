import { stepTitle } from "../../../../contract/graph/step-titles.ts";
import type { Completeness } from "../../../flow/complete-part.ts";
import type { Draft } from "../../../flow/draft.ts";
import type { KnownResults } from "../../../flow/known-results.ts";
import { outputsMissingFor } from "../../../flow/missing-outputs.ts";
import { locate } from "../../../flow/scopes.ts";
import { showToast } from "../../../ui/toasts.tsx";

interface RunCheckDeps {
  draft: Draft;
  known: KnownResults;
  completeness: Completeness;
  /** Opens a step that cannot run yet, by its node id. */
  onIncomplete: (nodeId: string) => void;
}

/** Reasons why some steps cannot run, each shown in the words of the builder before the service is asked. */
export function runChecks({ draft, known, completeness, onIncomplete }: RunCheckDeps) {
  function titleOf(nodeId: string): string {
    const step = locate(draft, nodeId)?.step;
    return step === undefined ? nodeId : stepTitle(step);
  }
  return {
    /** True for steps that the service would refuse: the first of them is opened in place of a message about fields. */
    needSetup(stepIds: readonly string[]): boolean {
      const missing = completeness.incomplete.find((stepId) => stepIds.includes(stepId));
      if (missing === undefined) return false;
      const nodeId = completeness.nodesToSetUp.get(missing) ?? missing;
      showToast(`Not started: “${titleOf(nodeId)}” needs setup.`);
      onIncomplete(nodeId);
      return true;
    },
    /** True when one of the steps reads an output that no run and no sample has given. */
    lackOutputs(stepIds: readonly string[]): boolean {
      const [missing] = outputsMissingFor(draft, stepIds, known.outputs);
      if (missing === undefined) return false;
      showToast(
        `Not started: “${titleOf(missing.reader)}” needs the output of “${titleOf(missing.source)}”. Run to here, or pin a sample output.`,
      );
      return true;
    },
  };
}
