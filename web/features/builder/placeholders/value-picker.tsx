import { useState } from "react";
import { flushSync } from "react-dom";
import type { PickableValue } from "../../../flow/values.ts";
import { Dialog } from "../../../ui/dialog.tsx";
import { PickList } from "../../../ui/pick-list.tsx";

const SHOWN = 60;

function sampleText({ sample, hasSample }: PickableValue): string {
  if (!hasSample) return "not known before a run";
  const text = typeof sample === "string" ? sample : JSON.stringify(sample);
  return text === undefined ? "empty" : text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text;
}

interface ValuePickerProps {
  values: readonly PickableValue[];
  hasRun: boolean;
  onPick: (placeholder: string) => void;
  onClose: () => void;
}

/** Placeholders with what they really were the last time, so that nobody types one blind. */
export function ValuePicker({ values, hasRun, onPick, onClose }: ValuePickerProps) {
  const [text, setText] = useState("");
  const found = values.filter(({ placeholder }) => placeholder.toLowerCase().includes(text.toLowerCase()));
  return (
    <Dialog title="Insert a value" onClose={onClose}>
      <p className="small muted">
        {hasRun
          ? "From the last run of this workflow."
          : "Run the workflow once, and the real values of each step stand here."}
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
          // The field takes the value when the dialog has given the focus back to it.
          flushSync(onClose);
          onPick(placeholder);
        }}
        none="No value has that name. A step can use what comes before it."
      />
    </Dialog>
  );
}
