import { useLocation } from "wouter";
import { importN8n } from "../../api/n8n-import.ts";
import { useWorkflowMutation } from "../../api/workflows.ts";
import type { N8nFile } from "../../flow/n8n-import-link.ts";
import { n8nTriggerProposal } from "../../flow/trigger-proposal.ts";
import { showToast } from "../../ui/toasts.tsx";
import { proposedTriggerState } from "../builder/builder-link.ts";

interface ImportOptions {
  file: N8nFile;
  name: string;
  /** Ids by the name of the node. */
  connections: Record<string, string>;
  checked: ReadonlySet<string>;
}

const SHOWN_MS = 8000;

/** Creates the draft and opens it, with the form of its first trigger. */
export function useImport({ file, name, connections, checked }: ImportOptions) {
  const [, navigate] = useLocation();
  const [workflow] = file.workflows;
  return useWorkflowMutation(
    async () =>
      importN8n({
        workflow: { ...workflow, nodes: workflow?.nodes ?? [] },
        name: name.trim(),
        connections,
        checked: [...checked],
      }),
    ({ workflow: { id }, triggers, warnings }) => {
      const trigger = n8nTriggerProposal(triggers);
      // Back leads to another file, not to a second import of this one.
      navigate(`/workflows/${id}`, {
        replace: true,
        ...(trigger !== undefined && { state: proposedTriggerState(trigger) }),
      });
      showToast(describeImport(warnings.filter(({ code }) => code === "to_check").length), {
        forMs: SHOWN_MS,
      });
    },
  );
}

function describeImport(toCheck: number): string {
  if (toCheck === 0) return "Imported as a draft.";
  return `Imported as a draft. ${toCheck === 1 ? "One step is" : `${toCheck} steps are`} marked “Check”.`;
}
