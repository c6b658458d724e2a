import {
  ArrowRight,
  CircleOff,
  Copy,
  CopyPlus,
  LayoutGrid,
  Pencil,
  Pin,
  Play,
  Plus,
  SquareDashedMousePointer,
  StickyNote,
  Trash2,
} from "lucide-react";
import { isDisabled } from "../../../../contract/graph/disabled.ts";
import { locate } from "../../../flow/scopes.ts";
import { onlyStep } from "../../../flow/selection.ts";
import { type MenuGroups, type MenuItem, PointMenu } from "../../../ui/menu.tsx";
import { modifier } from "../../../ui/shortcuts.ts";
import { usePermitted } from "../../../ui/use-permitted.ts";
import type { BuilderState } from "../use-builder.ts";

interface CanvasMenuProps {
  builder: BuilderState;
  onAddNote: () => void;
  at: { x: number; y: number };
  onClose: () => void;
}

/** The menu of a right click or Shift+F10, for whatever is selected on the canvas. */
export function CanvasMenu({ builder, onAddNote, at, onClose }: CanvasMenuProps) {
  const { selection } = builder;
  const groups = usePermitted(
    selection.stepIds.size > 0
      ? stepMenu(builder)
      : selection.edge !== undefined || selection.note !== undefined
        ? lineOrNoteMenu(builder)
        : canvasMenu(builder, onAddNote),
  );
  return groups.length === 0 ? null : <PointMenu at={at} groups={groups} onClose={onClose} />;
}

function stepMenu({ selection, commands, history }: BuilderState): MenuGroups {
  const only = onlyStep(selection);
  const steps = [...selection.stepIds].flatMap((id) => locate(history.draft, id)?.step ?? []);
  const single: readonly MenuItem[] =
    only === undefined
      ? []
      : [
          {
            label: "Run to here",
            may: "runWorkflowSteps",
            icon: <ArrowRight />,
            onSelect: () => commands.runTo(only),
          },
        ];
  return [
    [
      {
        label: steps.length === 1 ? "Test step" : `Test ${steps.length} steps`,
        may: "runWorkflowSteps",
        icon: <Play />,
        shortcut: `${modifier}⇧↵`,
        onSelect: commands.runSelected,
      },
      ...single,
    ],
    [
      ...(only === undefined
        ? []
        : ([
            {
              label: "Rename",
              may: "saveDraft",
              icon: <Pencil />,
              shortcut: "F2",
              onSelect: commands.startRename,
            },
          ] satisfies MenuItem[])),
      { label: "Copy", icon: <Copy />, shortcut: `${modifier}C`, onSelect: commands.copy },
      {
        label: "Duplicate",
        may: "saveDraft",
        icon: <CopyPlus />,
        shortcut: `${modifier}D`,
        onSelect: commands.duplicate,
      },
      ...(only === undefined
        ? []
        : [
            {
              label: commands.isPinned ? "Unpin output" : "Pin output",
              icon: <Pin />,
              shortcut: "P",
              disabled: !commands.canPin,
              onSelect: commands.togglePin,
            },
          ]),
      {
        label: steps.every(isDisabled) ? "Enable" : "Disable",
        may: "saveDraft",
        icon: <CircleOff />,
        shortcut: "D",
        onSelect: commands.toggleDisabled,
      },
    ],
    [
      {
        label: "Delete",
        may: "saveDraft",
        icon: <Trash2 />,
        shortcut: "⌫",
        danger: true,
        onSelect: commands.remove,
      },
    ],
  ];
}

function lineOrNoteMenu({ selection, commands }: BuilderState): MenuGroups {
  return [
    [
      selection.edge === undefined
        ? {
            label: "Edit note",
            may: "saveDraft",
            icon: <Pencil />,
            shortcut: "F2",
            onSelect: commands.startRename,
          }
        : {
            label: "Insert step",
            may: "saveDraft",
            icon: <Plus />,
            shortcut: "/",
            onSelect: () => commands.openPicker(),
          },
    ],
    [
      {
        label: "Delete",
        may: "saveDraft",
        icon: <Trash2 />,
        shortcut: "⌫",
        danger: true,
        onSelect: commands.remove,
      },
    ],
  ];
}

function canvasMenu({ commands }: BuilderState, onAddNote: () => void): MenuGroups {
  return [
    [
      {
        label: "Add step",
        may: "saveDraft",
        icon: <Plus />,
        shortcut: "/",
        onSelect: () => commands.openPicker(),
      },
      { label: "Add note", may: "saveDraft", icon: <StickyNote />, shortcut: "N", onSelect: onAddNote },
    ],
    [
      {
        label: "Select all",
        icon: <SquareDashedMousePointer />,
        shortcut: `${modifier}A`,
        onSelect: commands.selectAll,
      },
      {
        label: "Tidy up",
        may: "saveDraft",
        icon: <LayoutGrid />,
        shortcut: "⇧T",
        onSelect: commands.arrange,
      },
    ],
  ];
}
