import { type ReactElement, useState } from "react";
import { stepTypes } from "../../../../contract/steps/catalogue.ts";
import { PickList } from "../../../ui/pick-list.tsx";
import { Popover } from "../../../ui/popover.tsx";
import { stepIcon } from "../../canvas/step-icons.ts";
import { STEP_TYPE_MIME } from "./editable-canvas.tsx";

interface StepPickerProps {
  trigger: ReactElement;
  open: boolean;
  onOpenChange: (open: boolean) => void;
  onAdd: (type: string) => void;
}

/** All step types in a popover; pick one by keyboard or click, or drag it onto the canvas. */
export function StepPicker({ trigger, open, onOpenChange, onAdd }: StepPickerProps) {
  return (
    <Popover
      trigger={trigger}
      label="Add step"
      open={open}
      onOpenChange={onOpenChange}
      side="right"
      align="start"
      className="step-picker"
    >
      <StepSearch
        onAdd={(type) => {
          onOpenChange(false);
          onAdd(type);
        }}
      />
    </Popover>
  );
}

function StepSearch({ onAdd }: { onAdd: (type: string) => void }) {
  const [text, setText] = useState("");
  const wanted = text.toLowerCase();
  const found = stepTypes.filter(({ title, type, description }) =>
    `${title} ${type} ${description}`.toLowerCase().includes(wanted),
  );
  return (
    <PickList
      label="Search steps"
      text={text}
      onText={setText}
      items={found.map(({ type, title, description }) => {
        const Icon = stepIcon(type);
        return { key: type, title, detail: description, icon: <Icon size={15} aria-hidden /> };
      })}
      onPick={onAdd}
      onDragItem={(type, data) => data.setData(STEP_TYPE_MIME, type)}
      emptyMessage="No matching steps. An HTTP request can call any service."
    />
  );
}
