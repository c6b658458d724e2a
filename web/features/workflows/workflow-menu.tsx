import { Copy, Download, FolderInput, LayoutTemplate, SquarePen, Tag, Trash2 } from "lucide-react";
import { type ReactElement, Suspense, useState } from "react";
import { useLocation } from "wouter";
import { messageOf } from "../../api/api-error.ts";
import type { WorkflowHead } from "../../api/types.ts";
import { cloneWorkflow, exportWorkflow, useWorkflowMutation } from "../../api/workflows.ts";
import { Menu } from "../../ui/menu.tsx";
import { showToast } from "../../ui/toasts.tsx";
import { usePermitted } from "../../ui/use-permitted.ts";
import { TransferDialog, useTransferItem } from "../transfers/transfer-menu.tsx";
import { DeleteWorkflowDialog, MoveDialog, SaveTemplateDialog, TagsDialog } from "./lazy-dialogs.ts";

interface WorkflowMenuProps {
  trigger: ReactElement;
  workflow: WorkflowHead;
  folders: readonly string[];
}

/** The actions of a row, shown when its button is pressed. */
export function WorkflowMenu({ trigger, workflow, folders }: WorkflowMenuProps) {
  const { id, name } = workflow;
  const [, navigate] = useLocation();
  const [dialog, setDialog] = useState<"move" | "tags" | "transfer" | "template" | "delete">();
  const onClose = (): void => setDialog(undefined);
  const transfer = useTransferItem(() => setDialog("transfer"));
  const clone = useWorkflowMutation(
    () => cloneWorkflow(id),
    () => showToast(`“${name}” duplicated.`),
  );
  const groups = usePermitted([
    [
      { label: "Open", icon: <SquarePen size={14} />, onSelect: () => navigate(`/workflows/${id}`) },
      {
        label: "Duplicate",
        icon: <Copy size={14} />,
        may: "cloneWorkflow",
        onSelect: () => clone.mutate(undefined),
      },
      {
        label: "Save as template …",
        icon: <LayoutTemplate size={14} />,
        may: "createTemplate",
        onSelect: () => setDialog("template"),
      },
      {
        label: "Export",
        icon: <Download size={14} />,
        onSelect: () => void exportWorkflow(id, name).catch((error: unknown) => showToast(messageOf(error))),
      },
    ],
    [
      {
        label: "Move to folder",
        may: "updateWorkflow",
        icon: <FolderInput size={14} />,
        onSelect: () => setDialog("move"),
      },
      {
        label: "Edit tags",
        may: "updateWorkflow",
        icon: <Tag size={14} />,
        onSelect: () => setDialog("tags"),
      },
      ...transfer,
    ],
    [
      {
        label: "Delete",
        may: "deleteWorkflow",
        icon: <Trash2 size={14} />,
        danger: true,
        onSelect: () => setDialog("delete"),
      },
    ],
  ]);
  return (
    <>
      <Menu trigger={trigger} groups={groups} defaultOpen />
      <Suspense fallback={null}>
        {dialog === "move" && <MoveDialog workflow={workflow} folders={folders} onClose={onClose} />}
        {dialog === "tags" && <TagsDialog workflow={workflow} onClose={onClose} />}
        {dialog === "template" && <SaveTemplateDialog workflow={workflow} onClose={onClose} />}
        {dialog === "transfer" && (
          <TransferDialog record={{ kind: "workflow", id, name }} onClose={onClose} />
        )}
        {dialog === "delete" && <DeleteWorkflowDialog workflow={workflow} onClose={onClose} />}
      </Suspense>
    </>
  );
}
