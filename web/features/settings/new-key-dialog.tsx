import { useState } from "react";
import { createKey, type KeyScope, type NewKey, useKeyMutation } from "../../api/keys.ts";
import { useServiceAccounts } from "../../api/service-accounts.ts";
import { useWorkflows } from "../../api/workflows.ts";
import { CheckboxList } from "../../ui/checkbox-list.tsx";
import { SelectField, TextField } from "../../ui/field.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { RadioList } from "../../ui/radio-list.tsx";
import { splitCommas } from "../../ui/split-commas.ts";
import { KEY_PRESETS, SCOPE_GROUPS } from "./api-key-scopes.ts";
import { EXPIRY_OPTIONS, expiryOf } from "./key-expiry.ts";
import { roleLabel } from "../../api/permissions.ts";

interface NewKeyDialogProps {
  /** Chosen at first; empty for the person. */
  serviceAccountId: string;
  onClose: () => void;
  onCreated: (rawKey: string) => void;
}

export function NewKeyDialog({ serviceAccountId, onClose, onCreated }: NewKeyDialogProps) {
  const [name, setName] = useState("");
  const [preset, setPreset] = useState("run");
  const [scopes, setScopes] = useState<readonly string[]>(KEY_PRESETS[0]!.scopes);
  const [expiry, setExpiry] = useState("90");
  const [date, setDate] = useState("");
  const [actor, setActor] = useState(serviceAccountId);
  const [workflowIds, setWorkflowIds] = useState<readonly string[]>([]);
  const [addresses, setAddresses] = useState("");
  const accounts = useServiceAccounts().data ?? [];
  const workflows = useWorkflows().data ?? [];
  const canNameWorkflows = scopes.length === 1 && scopes[0] === "endpoints";
  const expiresAt = expiryOf(expiry, date);
  const create = useKeyMutation(() => createKey(newKey()), onCreated);

  function newKey(): NewKey {
    const listed = splitCommas(addresses);
    return {
      ...(name.trim() !== "" && { name: name.trim() }),
      scopes: scopes as KeyScope[],
      expiresAt: expiresAt ?? null,
      ...(canNameWorkflows && workflowIds.length > 0 && { workflowIds: [...workflowIds] }),
      ...(listed.length > 0 && { addresses: listed }),
      ...(actor !== "" && { serviceAccountId: actor }),
    };
  }

  return (
    <FormDialog
      title="New API key"
      onClose={onClose}
      action={create}
      submit="Create key"
      ready={scopes.length > 0 && expiresAt !== undefined}
    >
      <TextField label="Name" value={name} onChange={setName} placeholder="Online shop" />
      <RadioList
        label="Access"
        value={preset}
        onChange={(value) => {
          setPreset(value);
          const chosen = KEY_PRESETS.find((each) => each.value === value);
          if (chosen !== undefined) setScopes(chosen.scopes);
        }}
        options={[...KEY_PRESETS, { value: "custom", label: "Custom", note: "Choose the scopes" }]}
      />
      {preset === "custom" &&
        SCOPE_GROUPS.map(({ label, options }) => (
          <CheckboxList key={label} label={label} options={options} selected={scopes} onChange={setScopes} />
        ))}
      <SelectField label="Expires" value={expiry} onChange={setExpiry} options={EXPIRY_OPTIONS} />
      {expiry === "date" && (
        <TextField label="Last day" type="date" required value={date} onChange={setDate} />
      )}
      {accounts.length > 0 && (
        <SelectField
          label="Acts as"
          value={actor}
          onChange={setActor}
          emptyOption="You, with your role"
          options={accounts.map((account) => ({
            value: account.id,
            label: `${account.name}, ${roleLabel(account.role)}`,
          }))}
        />
      )}
      {canNameWorkflows && (
        <CheckboxList
          label="Workflows"
          options={workflows.map(({ id, name: label }) => ({ value: id, label }))}
          selected={workflowIds}
          onChange={setWorkflowIds}
          hint={workflowIds.length === 0 ? "None chosen: the endpoints of all workflows." : undefined}
        />
      )}
      <TextField
        label="Allowed addresses"
        value={addresses}
        onChange={setAddresses}
        placeholder="203.0.113.0/24, 2001:db8::/32"
        hint="Comma-separated IP addresses and CIDR ranges. Empty: from everywhere."
      />
    </FormDialog>
  );
}
