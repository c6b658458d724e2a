import { type ReactNode, useId } from "react";

/** Connects a control with its label, hint and error. */
export interface ControlIds {
  id: string;
  "aria-describedby"?: string;
  "aria-invalid"?: true;
}

interface FieldProps {
  label: string;
  hint?: string | undefined;
  error?: string | undefined;
  children: (ids: ControlIds) => ReactNode;
  aside?: ReactNode;
}

/** A label, a hint and an error for one control, connected for screen readers. */
export function Field({ label, hint, error, children, aside }: FieldProps) {
  const id = useId();
  const described = hint !== undefined || error !== undefined;
  return (
    <div className="field">
      <div className="name">
        <label
          id={`${id}-label`}
          htmlFor={id}
          className="grow"
          // A contenteditable field does not receive the focus from its label by itself.
          onClick={() => document.getElementById(id)?.focus()}
        >
          {label}
        </label>
        {aside}
      </div>
      {children({
        id,
        ...(described ? { "aria-describedby": `${id}-more` } : {}),
        ...(error === undefined ? {} : { "aria-invalid": true }),
      })}
      {described && (
        <div id={`${id}-more`}>
          {error !== undefined && <p className="wrong">{error}</p>}
          {hint !== undefined && <p className="hint">{hint}</p>}
        </div>
      )}
    </div>
  );
}

interface TextFieldProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
  hint?: string | undefined;
  error?: string | undefined;
  type?: string;
  placeholder?: string;
  required?: boolean;
  autoComplete?: string;
  rows?: number;
  minLength?: number;
  mono?: boolean;
}

export function TextField({
  label,
  value,
  onChange,
  hint,
  error,
  rows,
  mono = false,
  ...rest
}: TextFieldProps) {
  const className = `in${mono ? " mono" : ""}`;
  return (
    <Field label={label} hint={hint} error={error}>
      {(ids) =>
        rows === undefined ? (
          <input
            className={className}
            {...ids}
            {...rest}
            value={value}
            onChange={(event) => onChange(event.target.value)}
          />
        ) : (
          <textarea
            className={className}
            {...ids}
            rows={rows}
            placeholder={rest.placeholder}
            required={rest.required}
            value={value}
            onChange={(event) => onChange(event.target.value)}
          />
        )
      }
    </Field>
  );
}

export interface Option {
  value: string;
  label: string;
}

interface SelectFieldProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
  options: readonly Option[];
  /** The label of the empty option; without it, one option is always selected. */
  emptyOption?: string;
  hint?: string | undefined;
  error?: string | undefined;
  required?: boolean;
}

export function SelectField({
  label,
  value,
  onChange,
  options,
  emptyOption,
  hint,
  error,
  required,
}: SelectFieldProps) {
  return (
    <Field label={label} hint={hint} error={error}>
      {(ids) => (
        <select
          className="in"
          {...ids}
          required={required}
          value={value}
          onChange={(event) => onChange(event.target.value)}
        >
          {emptyOption !== undefined && <option value="">{emptyOption}</option>}
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}
