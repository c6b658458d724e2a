import { useId } from "react";
import "./styles/radio-list.css";

interface RadioListProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
  options: readonly { value: string; label: string; note?: string; disabled?: boolean }[];
}

/** One of a few choices, each with a line that explains it. */
export function RadioList({ label, value, onChange, options }: RadioListProps) {
  const name = useId();
  return (
    <fieldset className="radio-list">
      <legend className="caps">{label}</legend>
      {options.map((option) => (
        <label key={option.value}>
          <input
            type="radio"
            name={name}
            value={option.value}
            checked={value === option.value}
            disabled={option.disabled === true}
            onChange={() => onChange(option.value)}
          />
          <span>
            <b>{option.label}</b>
            {option.note !== undefined && <span className="muted xs">{option.note}</span>}
          </span>
        </label>
      ))}
    </fieldset>
  );
}
