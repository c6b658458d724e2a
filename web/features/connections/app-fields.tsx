import type { AppDetails } from "../../api/apps.ts";
import type { FormValues } from "../../flow/connection-form.ts";
import { TextField } from "../../ui/field.tsx";

interface AppFieldsProps {
  app: AppDetails | undefined;
  values: FormValues;
  onChange: (values: FormValues) => void;
}

/** What an app needs beside the credential, such as its site or shop. */
export function AppFields({ app, values, onChange }: AppFieldsProps) {
  return Object.entries(app?.fields ?? {}).map(([name, field]) => (
    <TextField
      key={name}
      label={field.title}
      value={values[name] ?? ""}
      onChange={(value) => onChange({ ...values, [name]: value })}
      required={field.required === true}
      hint={field.description}
      {...(field.example === undefined ? {} : { placeholder: field.example })}
    />
  ));
}
