import {
  Copy,
  CopyPlus,
  Download,
  History,
  LayoutGrid,
  LayoutTemplate,
  Pencil,
  Play,
  Plug,
  Redo2,
  Send,
  SlidersHorizontal,
  Undo2,
} from "lucide-react";
import { type ReactElement, Suspense, useState } from "react";
import { useLocation } from "wouter";
import { messageOf } from "../../api/api-error.ts";
import { cloneWorkflow, exportWorkflow, useWorkflowMutation } from "../../api/workflows.ts";
import { Menu, type MenuGroups } from "../../ui/menu.tsx";
import { isMac, modifier } from "../../ui/shortcuts.ts";
import { showToast } from "../../ui/toasts.tsx";
import { usePermitted } from "../../ui/use-permitted.ts";
import { TransferDialog, useTransferItem } from "../transfers/transfer-menu.tsx";
import { SaveTemplateDialog } from "../workflows/lazy-dialogs.ts";
import type { BuilderState } from "./use-builder.ts";

interface WorkflowMenuProps {
  trigger: ReactElement;
  builder: BuilderState;
}

/** Everything about the workflow as a whole. On a phone it is the only way to undo, publish, copy and export. */
export function WorkflowMenu({ trigger, builder }: WorkflowMenuProps) {
  const { workflow, history } = builder;
  const [, navigate] = useLocation();
  const [isTransferring, setTransferring] = useState(false);
  const [isSaving, setSaving] = useState(false);
  const groups = usePermitted(
    useMenuGroups(
      builder,
      () => setTransferring(true),
      () => setSaving(true),
    ),
  );
  return (
    <>
      <Menu align="start" trigger={trigger} groups={groups} defaultOpen />
      <Suspense fallback={null}>
        {isTransferring && (
          <TransferDialog
            record={{ kind: "workflow", id: workflow.id, name: history.draft.name }}
            onClose={(isGone) => {
              setTransferring(false);
              if (isGone) navigate("/workflows");
            }}
          />
        )}
        {isSaving && (
          <SaveTemplateDialog
            workflow={{ ...history.draft, id: workflow.id }}
            onClose={() => setSaving(false)}
          />
        )}
      </Suspense>
    </>
  );
}

function useMenuGroups(
  builder: BuilderState,
  onTransfer: () => void,
  onSaveTemplate: () => void,
): MenuGroups {
  const { workflow, history, autosave, commands, selection, openPanel } = builder;
  const [, navigate] = useLocation();
  const clone = useWorkflowMutation(
    async () => {
      await autosave.save();
      return cloneWorkflow(workflow.id);
    },
    (copy) => navigate(`/workflows/${copy.id}`),
  );
  // Includes changes that are not saved yet.
  const transfer = useTransferItem(() => void autosave.save().then(onTransfer));
  async function exportFile(): Promise<void> {
    await autosave.save();
    await exportWorkflow(workflow.id, history.draft.name).catch((error: unknown) =>
      showToast(messageOf(error)),
    );
  }
  return [
    [
      {
        label: "Undo",
        may: "saveDraft",
        icon: <Undo2 />,
        shortcut: `${modifier}Z`,
        disabled: !history.canUndo,
        onSelect: history.undo,
      },
      {
        label: "Redo",
        may: "saveDraft",
        icon: <Redo2 />,
        shortcut: `⇧${modifier}Z`,
        disabled: !history.canRedo,
        onSelect: history.redo,
      },
      {
        label: "Copy steps",
        icon: <Copy />,
        shortcut: `${modifier}C`,
        disabled: selection.stepIds.size === 0,
        onSelect: commands.copy,
      },
      { label: "Tidy up", may: "saveDraft", icon: <LayoutGrid />, onSelect: commands.arrange },
    ],
    [
      {
        label: "Publish …",
        may: "publishDraft",
        icon: <Send />,
        shortcut: isMac ? "⌘⇧P" : "Ctrl Shift P",
        movesFocus: true,
        onSelect: () => openPanel("publish"),
      },
      { label: "Versions", icon: <History />, onSelect: () => openPanel("versions") },
      {
        label: "Runs",
        icon: <Play />,
        onSelect: () => navigate(`/runs?workflowId=${workflow.id}`),
      },
    ],
    [
      {
        label: "Name and description",
        may: "saveDraft",
        icon: <Pencil />,
        onSelect: () => openPanel("settings"),
      },
      {
        label: "Run settings",
        may: "updateWorkflow",
        icon: <SlidersHorizontal />,
        onSelect: () => openPanel("run-settings"),
      },
      {
        label: "Endpoint",
        icon: <Plug />,
        onSelect: () => navigate(`/endpoints?workflow=${workflow.id}`),
      },
      {
        label: "Duplicate workflow",
        may: "cloneWorkflow",
        icon: <CopyPlus />,
        onSelect: () => clone.mutate(undefined),
      },
      {
        label: "Save as template …",
        may: "createTemplate",
        icon: <LayoutTemplate />,
        onSelect: () => void autosave.save().then(onSaveTemplate),
      },
      ...transfer,
      { label: "Export", icon: <Download />, onSelect: () => void exportFile() },
    ],
  ];
}
