import { ArrowRight, Copy, CopyPlus, Ellipsis, FastForward, Trash2 } from "lucide-react";
import { Menu } from "../../../ui/menu.tsx";
import { modifier } from "../../../ui/shortcuts.ts";
import { usePermitted } from "../../../ui/use-permitted.ts";

export interface StepActions {
  onRunTo: () => void;
  onRunFrom: () => void;
  onCopy: () => void;
  onDuplicate: () => void;
  onDelete: () => void;
}

/** Less frequent actions on the step. */
export function StepMenu({ actions }: { actions: StepActions }) {
  return (
    <Menu
      trigger={
        <button type="button" className="btn ghost icon" aria-label="More actions">
          <Ellipsis size={16} />
        </button>
      }
      groups={usePermitted([
        [
          {
            label: "Run to here",
            may: "runWorkflowSteps",
            icon: <ArrowRight />,
            onSelect: actions.onRunTo,
          },
          {
            label: "Run from here",
            may: "runWorkflowSteps",
            icon: <FastForward />,
            onSelect: actions.onRunFrom,
          },
          { label: "Copy", icon: <Copy />, shortcut: `${modifier}C`, onSelect: actions.onCopy },
          {
            label: "Duplicate",
            may: "saveDraft",
            icon: <CopyPlus />,
            shortcut: `${modifier}D`,
            onSelect: actions.onDuplicate,
          },
        ],
        [{ label: "Delete", may: "saveDraft", icon: <Trash2 />, danger: true, onSelect: actions.onDelete }],
      ])}
    />
  );
}
