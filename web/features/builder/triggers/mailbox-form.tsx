import { useState } from "react";
import {
  createTrigger,
  type StoredTrigger,
  updateTrigger,
  useTriggerMutation,
} from "../../../api/triggers.ts";
import type { Wanted } from "../../../flow/wanted-connection.ts";
import { Field, SelectField, TextField } from "../../../ui/field.tsx";
import { NumberField } from "../../../ui/number-field.tsx";
import { ConnectionPicker } from "../../connections/connection-picker.tsx";
import { IntervalField, StartWithField, TriggerFormFrame, type TriggerFormProps } from "./trigger-form.tsx";

type Settings = Extract<StoredTrigger, { kind: "email" }>["settings"];

const EMPTY: Settings = {
  connection: null,
  host: "",
  port: 993,
  security: "tls",
  user: "",
  mailbox: "INBOX",
  markSeen: false,
  intervalSeconds: 300,
  startWith: "new",
};

const IMAP: Wanted = { kinds: ["imap"] };

export function MailboxForm({ builder, trigger, onSaved }: TriggerFormProps<"email">) {
  const [name, setName] = useState(trigger?.name ?? "");
  const [password, setPassword] = useState("");
  const [settings, setSettings] = useState(trigger?.settings ?? EMPTY);
  const change = (next: Partial<Settings>) => setSettings((before) => ({ ...before, ...next }));
  const own = password === "" || settings.connection !== null ? {} : { password };
  const save = useTriggerMutation(
    () =>
      trigger === undefined
        ? createTrigger({ kind: "email", workflowId: builder.workflow.id, name, settings, ...own })
        : updateTrigger(trigger.id, { name, settings, ...own }),
    (saved) => {
      setPassword("");
      onSaved(saved);
    },
  );
  const needsPassword =
    trigger === undefined ||
    trigger.settings.connection !== null ||
    settings.host !== trigger.settings.host ||
    settings.user !== trigger.settings.user;
  const isChanged =
    password !== "" ||
    name !== trigger?.name ||
    JSON.stringify(settings) !== JSON.stringify(trigger.settings);
  return (
    <TriggerFormFrame
      isNew={trigger === undefined}
      isChanged={isChanged}
      create="Create mailbox trigger"
      save={save}
    >
      <Field label="Connection">
        {(ids) => (
          <ConnectionPicker
            ids={ids}
            wanted={IMAP}
            value={settings.connection ?? undefined}
            onChange={(connection = "") => change({ connection: connection === "" ? null : connection })}
            optional
          />
        )}
      </Field>
      {settings.connection === null && (
        <>
          <ServerFields settings={settings} onChange={change} />
          <TextField
            label="Password"
            type="password"
            autoComplete="new-password"
            required={needsPassword}
            value={password}
            onChange={setPassword}
            hint={
              needsPassword
                ? "Stored encrypted. Many providers require an app password."
                : "Leave empty to keep the current one."
            }
          />
        </>
      )}
      <TextField
        label="Folder"
        required
        value={settings.mailbox}
        onChange={(mailbox) => change({ mailbox })}
      />
      <TextField label="Name" value={name} onChange={setName} placeholder="Mailbox" />
      <IntervalField
        seconds={settings.intervalSeconds}
        onChange={(intervalSeconds) => change({ intervalSeconds })}
      />
      {trigger === undefined && (
        <StartWithField value={settings.startWith} onChange={(startWith) => change({ startWith })} />
      )}
      <SelectField
        label="Messages it found"
        value={settings.markSeen ? "seen" : "unchanged"}
        options={[
          { value: "unchanged", label: "Leave unchanged" },
          { value: "seen", label: "Mark as seen" },
        ]}
        onChange={(value) => change({ markSeen: value === "seen" })}
      />
    </TriggerFormFrame>
  );
}

interface ServerFieldsProps {
  settings: Settings;
  onChange: (change: Partial<Settings>) => void;
}

function ServerFields({ settings, onChange }: ServerFieldsProps) {
  return (
    <>
      <TextField
        label="IMAP server"
        required
        mono
        value={settings.host}
        onChange={(host) => onChange({ host })}
        placeholder="imap.mail.example"
      />
      <NumberField
        label="Port"
        value={settings.port}
        min={1}
        max={65_535}
        onChange={(port) => onChange({ port: port ?? 993 })}
      />
      <SelectField
        label="Security"
        value={settings.security}
        options={[
          { value: "tls", label: "TLS" },
          { value: "starttls", label: "STARTTLS" },
        ]}
        onChange={(security) => onChange({ security: security as Settings["security"] })}
      />
      <TextField
        label="User"
        required
        autoComplete="off"
        value={settings.user}
        onChange={(user) => onChange({ user })}
        placeholder="support@mail.example"
      />
    </>
  );
}
