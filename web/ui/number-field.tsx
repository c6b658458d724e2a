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
  hint?: string;
  error?: string | undefined;
}

export function NumberField({ label, value, onChange, hint, error, ...rest }: NumberFieldProps) {
  return (
    <Field label={label} hint={hint} error={error}>
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
