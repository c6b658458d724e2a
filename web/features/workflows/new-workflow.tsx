import { ChevronDown, LayoutTemplate, Plus, Sparkles, Upload } from "lucide-react";
import { Suspense, useRef, useState } from "react";
import { useLocation } from "wouter";
import type { ProposedTrigger } from "../../../contract/generation.ts";
import { messageOf } from "../../api/api-error.ts";
import type { Workflow } from "../../api/types.ts";
import { createEmptyWorkflow, UNTITLED, useWorkflowMutation } from "../../api/workflows.ts";
import { lazyComponent } from "../../ui/lazy-component.ts";
import { LazyMenu } from "../../ui/lazy-menu.tsx";
import { showToast } from "../../ui/toasts.tsx";
import { proposedTriggerState } from "../builder/builder-link.ts";
import { useMay } from "../../api/permissions.ts";

const GenerateDialog = lazyComponent(() => import("../builder/generate-dialog.tsx"), "GenerateDialog");

/** The ways to start a workflow, and the dialog of one of them. */
export function useNewWorkflow() {
  const [, navigate] = useLocation();
  const may = useMay();
  const [isDescribing, setDescribing] = useState(false);
  const open = (workflow: Workflow, trigger?: ProposedTrigger): void =>
    navigate(
      `/workflows/${workflow.id}`,
      trigger === undefined ? {} : { state: proposedTriggerState(trigger) },
    );
  const create = useWorkflowMutation(
    () => createEmptyWorkflow(UNTITLED),
    (workflow) => open(workflow),
  );
  const importMutation = useWorkflowMutation(
    async (file: File) => (await import("./import-file.ts")).importFile(file),
    ([path, state]) => navigate(path, { state }),
  );
  const onError = (error: unknown): void => showToast(messageOf(error));
  return {
    isCreating: create.isPending,
    create: () => create.mutate(undefined, { onError }),
    importFrom: (file: File | undefined) =>
      file !== undefined && may("createTemplate") && importMutation.mutate(file, { onError }),
    describe: () => setDescribing(true),
    openTemplates: () => navigate("/templates"),
    openN8n: () => navigate("/workflows/import-n8n"),
    dialog: isDescribing && (
      <Suspense fallback={null}>
        <GenerateDialog onClose={() => setDescribing(false)} onCreated={open} />
      </Suspense>
    ),
  };
}

export type NewWorkflow = ReturnType<typeof useNewWorkflow>;

/** The buttons of the top bar. */
export function NewWorkflowButtons({ start }: { start: NewWorkflow }) {
  const picker = useRef<HTMLInputElement>(null);
  const may = useMay();
  if (!may("createWorkflow")) return null;
  return (
    <>
      <input
        ref={picker}
        type="file"
        accept="application/json,.json"
        className="visually-hidden"
        tabIndex={-1}
        aria-label="Workflow file"
        onChange={(event) => start.importFrom(event.target.files?.[0])}
      />
      <button type="button" className="btn wide-only" onClick={() => picker.current?.click()}>
        <Upload size={15} /> Import
      </button>
      <span className="split">
        <button type="button" className="btn go" disabled={start.isCreating} onClick={start.create}>
          <Plus size={15} /> New workflow
        </button>
        <LazyMenu
          trigger={
            <button type="button" className="btn go icon" aria-label="More ways to start">
              <ChevronDown size={14} />
            </button>
          }
          groups={[
            [
              { label: "Describe it", icon: <Sparkles size={14} />, onSelect: start.describe },
              {
                label: "Start from a template",
                icon: <LayoutTemplate size={14} />,
                onSelect: start.openTemplates,
              },
              {
                label: "Import a file",
                icon: <Upload size={14} />,
                onSelect: () => picker.current?.click(),
              },
              { label: "Import from n8n", icon: <Upload size={14} />, onSelect: start.openN8n },
            ],
          ]}
        />
      </span>
    </>
  );
}
