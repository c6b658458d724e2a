import { useState } from "react";
import { flushSync } from "react-dom";
import type { PickableValue } from "../../../flow/pickable-values.ts";
import { Dialog } from "../../../ui/dialog.tsx";
import { PickList } from "../../../ui/pick-list.tsx";

/** Opens the picker for a field. `inside` adds values that only exist here, such as the item of a loop. */
export type PickValue = (insert: (placeholder: string) => void, inside?: readonly PickableValue[]) => void;

const MAX_SAMPLE_LENGTH = 60;

function sampleText({ sample, hasSample }: PickableValue): string {
  if (!hasSample) return "no value yet";
  const text = typeof sample === "string" ? sample : JSON.stringify(sample);
  return text === undefined
    ? "empty"
    : text.length > MAX_SAMPLE_LENGTH
      ? `${text.slice(0, MAX_SAMPLE_LENGTH)}…`
      : text;
}

interface ValuePickerProps {
  values: readonly PickableValue[];
  hasRun: boolean;
  onPick: (placeholder: string) => void;
  onClose: () => void;
}

/** All values that a step can use, each with a sample from the last run. */
export function ValuePicker({ values, hasRun, onPick, onClose }: ValuePickerProps) {
  const [text, setText] = useState("");
  const found = values.filter(({ placeholder }) => placeholder.toLowerCase().includes(text.toLowerCase()));
  return (
    <Dialog title="Insert value" onClose={onClose}>
      <p className="small muted">
        {hasRun
          ? "Values from the last run of this workflow."
          : "Run the workflow once to see real values here."}
      </p>
      <PickList
        label="Search values"
        text={text}
        onText={setText}
        items={found.map((value) => ({
          key: value.placeholder,
          title: value.placeholder,
          detail: sampleText(value),
        }))}
        onPick={(placeholder) => {
          // Closed synchronously: the dialog returns the focus to the field, which inserts at its caret.
          flushSync(onClose);
          onPick(placeholder);
        }}
        emptyMessage="No matching values. A step can use the outputs of the steps before it."
      />
    </Dialog>
  );
}
