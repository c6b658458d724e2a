import { type ReactNode, useId } from "react";
import "./styles/segments.css";

export interface SegmentOption<Value extends string> {
  value: Value;
  label: ReactNode;
}

interface SegmentsProps<Value extends string> {
  label: string;
  value: Value;
  onChange: (value: Value) => void;
  options: readonly SegmentOption<Value>[];
}

/** One choice of a few, shown side by side: "Table | JSON | Schema". Native radio buttons: the first screen needs no library. */
export function Segments<Value extends string>({ label, value, onChange, options }: SegmentsProps<Value>) {
  const name = useId();
  return (
    <div className="segments" role="radiogroup" aria-label={label}>
      {options.map((option) => (
        <label key={option.value} className="segment">
          <input
            type="radio"
            name={name}
            checked={option.value === value}
            onChange={() => onChange(option.value)}
          />
          {option.label}
        </label>
      ))}
    </div>
  );
}
