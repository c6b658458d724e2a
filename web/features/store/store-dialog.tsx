import { useState } from "react";
import { WORKSPACE_SCOPE } from "../../../contract/store.ts";
import { putStoreValue, type StoreValue, useStoreMutation } from "../../api/store.ts";
import { formatValue, parseValue } from "../../flow/form-fields.ts";
import { SelectField, TextField } from "../../ui/field.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";

export interface StoreScope {
  value: string;
  label: string;
}

interface StoreDialogProps {
  value: StoreValue | undefined;
  scopes: readonly StoreScope[];
  onClose: () => void;
}

const LIFETIMES = [
  { value: "", label: "Never" },
  { value: String(3_600_000), label: "In an hour" },
  { value: String(86_400_000), label: "In a day" },
  { value: String(7 * 86_400_000), label: "In a week" },
  { value: String(30 * 86_400_000), label: "In 30 days" },
];

/** Creates a value or replaces one. Text that is valid JSON is stored as JSON, unless the value was text before. */
export function StoreDialog({ value, scopes, onClose }: StoreDialogProps) {
  const [scope, setScope] = useState(value?.scope ?? WORKSPACE_SCOPE);
  const [key, setKey] = useState(value?.key ?? "");
  const [text, setText] = useState(formatValue(value?.value));
  const [lifetime, setLifetime] = useState("");
  const put = useStoreMutation(() => {
    const stored = typeof value?.value === "string" ? text : (parseValue(text) ?? "");
    return putStoreValue(
      { scope, key },
      { value: stored, ...(lifetime === "" ? {} : { expiresInMs: Number(lifetime) }) },
    );
  }, onClose);
  return (
    <FormDialog
      title={value === undefined ? "New value" : `Edit ${value.key}`}
      onClose={onClose}
      action={put}
      submit="Save"
    >
      {value === undefined && (
        <>
          <SelectField label="Belongs to" value={scope} onChange={setScope} options={scopes} />
          <TextField label="Key" mono required value={key} onChange={setKey} placeholder="last-run" />
        </>
      )}
      <TextField label="Value" mono rows={6} value={text} onChange={setText} hint="Text or JSON" />
      <SelectField label="Expires" value={lifetime} onChange={setLifetime} options={LIFETIMES} />
    </FormDialog>
  );
}
