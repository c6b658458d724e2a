import { formatValue } from "../../../flow/form-fields.ts";
import type { Option } from "../../../ui/field.tsx";
import type { ControlIds } from "../../../ui/field.tsx";

interface SelectInputProps {
  ids: ControlIds;
  value: unknown;
  onChange: (value: unknown) => void;
  options: readonly Option[];
  /** Label of the empty option. */
  emptyOption: string | undefined;
}

/** A stored value that is not among the options stays selectable: opening the form must not change the step. */
export function SelectInput({ ids, value, onChange, options, emptyOption }: SelectInputProps) {
  const isUnknown =
    typeof value === "string" && value !== "" && !options.some((option) => option.value === value);
  return (
    <select
      className="in"
      {...ids}
      value={formatValue(value)}
      onChange={(event) => onChange(event.target.value === "" ? undefined : event.target.value)}
    >
      {emptyOption !== undefined && <option value="">{emptyOption}</option>}
      {options.map((option) => (
        <option key={option.value} value={option.value}>
          {option.label}
        </option>
      ))}
      {isUnknown && <option>{value}</option>}
    </select>
  );
}
