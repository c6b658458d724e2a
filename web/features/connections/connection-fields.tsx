import type { FormValues, ConnectionField } from "../../flow/connection-form.ts";
import { applyingFields } from "../../flow/connection-form.ts";
import { SelectField, TextField } from "../../ui/field.tsx";
import { Switch } from "../../ui/switch.tsx";

interface ConnectionFieldsProps {
  fields: readonly ConnectionField[];
  values: FormValues;
  onChange: (values: FormValues) => void;
  problem: { field: string; message: string } | undefined;
  /** Secrets are stored already: an empty field keeps them. */
  isStored?: boolean;
}

/** The settings and secrets of a connection. */
export function ConnectionFields({
  fields,
  values,
  onChange,
  problem,
  isStored = false,
}: ConnectionFieldsProps) {
  return applyingFields(fields, values).map((field) => {
    const { name, label, control, optional, options, placeholder, hint, secret } = field;
    const value = values[name] ?? "";
    const set = (next: string): void => onChange({ ...values, [name]: next });
    if (control === "choice")
      return <SelectField key={name} label={label} value={value} onChange={set} options={options ?? []} />;
    if (control === "switch")
      return (
        <Switch
          key={name}
          label={label}
          checked={value === "true"}
          onChange={(on) => set(on ? "true" : "")}
        />
      );
    return (
      <TextField
        key={name}
        label={label}
        value={value}
        onChange={set}
        mono={control === "lines"}
        hint={isStored && secret === true ? "Stored. Enter a new one to replace it." : hint}
        error={problem?.field === name ? problem.message : undefined}
        required={optional !== true && !(isStored && secret === true)}
        {...(placeholder === undefined ? {} : { placeholder })}
        {...(control === "lines" ? { rows: 3 } : {})}
        {...(control === "number" ? { type: "number" } : {})}
        {...(secret === true && control === undefined
          ? { type: "password", autoComplete: "new-password" }
          : { autoComplete: "off" })}
      />
    );
  });
}
