import { ToggleGroup } from "radix-ui";
import type { ReactNode } from "react";
import "./styles/segments.css";

interface SegmentsProps<Value extends string> {
  label: string;
  value: Value;
  onChange: (value: Value) => void;
  options: readonly { value: Value; label: ReactNode }[];
}

/** One choice of a few, shown side by side: "Table | JSON | Schema". */
export function Segments<Value extends string>({ label, value, onChange, options }: SegmentsProps<Value>) {
  return (
    <ToggleGroup.Root
      type="single"
      className="segments"
      aria-label={label}
      value={value}
      // A click on the chosen segment would clear the choice.
      onValueChange={(next) => next !== "" && onChange(next as Value)}
    >
      {options.map((option) => (
        <ToggleGroup.Item key={option.value} value={option.value} className="segment">
          {option.label}
        </ToggleGroup.Item>
      ))}
    </ToggleGroup.Root>
  );
}
