import { Field } from "./field.tsx";

interface NumberFieldProps {
  label: string;
  /** Null when the field is empty. */
  value: number | null;
  onChange: (value: number | null) => void;
  min?: number;
  max?: number;
  step?: number;
  placeholder?: string;
}

export function NumberField({ label, value, onChange, ...rest }: NumberFieldProps) {
  return (
    <Field label={label}>
      {(ids) => (
        <input
          type="number"
          className="in"
          {...ids}
          {...rest}
          value={value ?? ""}
          onChange={({ target }) =>
            onChange(target.value === "" || Number.isNaN(target.valueAsNumber) ? null : target.valueAsNumber)
          }
        />
      )}
    </Field>
  );
}
