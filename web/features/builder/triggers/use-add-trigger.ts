import { messageOf } from "../../../api/api-error.ts";
import { saveWorkflow, UNTITLED, useWorkflowMutation } from "../../../api/workflows.ts";
import { selectTrigger } from "../../../flow/selection.ts";
import type { TriggerProposal } from "../../../flow/trigger-proposal.ts";
import { type TriggerKind, triggerId } from "../../../flow/triggers.ts";
import { showToast } from "../../../ui/toasts.tsx";
import type { BuilderState } from "../use-builder.ts";
import { NEW_RECORD } from "./trigger-id.ts";

/**
 * Endpoint and form belong to the workflow and exist at once. The others are records with their own settings: the
 * panel asks for them first.
 */
export function useAddTrigger({
  workflow,
  history,
  setSelection,
  setProposedTrigger,
}: BuilderState): (kind: TriggerKind, proposed?: TriggerProposal) => void {
  const save = useWorkflowMutation(saveWorkflowOf(workflow.id));
  const select = (kind: TriggerKind, recordId: string): void =>
    setSelection(selectTrigger(triggerId(kind, recordId)));
  return (kind, proposed) => {
    setProposedTrigger(proposed);
    if (kind !== "endpoint" && kind !== "form") return select(kind, NEW_RECORD);
    select(kind, workflow.id);
    const onError = (error: Error): void => showToast(messageOf(error));
    if (kind === "endpoint") save.mutate({ apiSettings: { enabled: true } }, { onError });
    if (kind === "form" && workflow.form === undefined)
      save.mutate(
        // A form is a link to share: the people who get it have no key.
        { form: { enabled: true, authentication: false, ...titleOf(history.draft.name) } },
        { onError },
      );
  };
}

/** The people who fill in the form would see the name of a workflow that has none yet. */
function titleOf(name: string): { title?: string } {
  return name === UNTITLED ? {} : { title: name };
}

function saveWorkflowOf(id: string) {
  return (body: Parameters<typeof saveWorkflow>[1]) => saveWorkflow(id, body);
}
