import { useState } from "react";
import {
  createTrigger,
  type StoredTrigger,
  updateTrigger,
  useTriggerMutation,
} from "../../../api/triggers.ts";
import { SelectField, TextField } from "../../../ui/field.tsx";
import { splitCommas } from "../../../ui/split-commas.ts";
import { TriggerFormFrame, type TriggerFormProps } from "./trigger-form.tsx";

type Settings = Extract<StoredTrigger, { kind: "chat" }>["settings"];

export function ChatForm({ builder, trigger, onSaved }: TriggerFormProps<"chat">) {
  const [settings, setSettings] = useState<Settings>(trigger?.settings ?? newChat(builder.workflow.name));
  const [origins, setOrigins] = useState(() => settings.origins.join(", "));
  const change = (next: Partial<Settings>) => setSettings((before) => ({ ...before, ...next }));
  const given = { ...settings, origins: splitCommas(origins) };
  const save = useTriggerMutation(
    () =>
      trigger === undefined
        ? createTrigger({
            kind: "chat",
            workflowId: builder.workflow.id,
            name: settings.title,
            settings: given,
          })
        : updateTrigger(trigger.id, { name: settings.title, settings: given }),
    onSaved,
  );
  const isChanged = JSON.stringify(given) !== JSON.stringify(trigger?.settings);
  return (
    <TriggerFormFrame isNew={trigger === undefined} isChanged={isChanged} create="Create chat" save={save}>
      <TextField
        label="Name in URL"
        required
        mono
        value={settings.slug}
        onChange={(slug) => change({ slug })}
        hint={`The address ends with /chat/${settings.slug}`}
      />
      <TextField
        label="Title"
        value={settings.title}
        onChange={(title) => change({ title })}
        placeholder="Chat"
      />
      <TextField
        label="Greeting"
        rows={2}
        value={settings.greeting}
        onChange={(greeting) => change({ greeting })}
      />
      <TextField
        label="Text in the empty field"
        value={settings.placeholder}
        onChange={(placeholder) => change({ placeholder })}
        placeholder="Write a message"
      />
      <SelectField
        label="Access"
        value={settings.access}
        options={[
          { value: "public", label: "Everyone with the address" },
          { value: "login", label: "People with an account" },
        ]}
        onChange={(access) => change({ access: access as Settings["access"] })}
      />
      <TextField
        label="Sites that may embed it"
        mono
        value={origins}
        onChange={setOrigins}
        placeholder="https://www.example.com"
        hint="Optional, comma-separated"
      />
    </TriggerFormFrame>
  );
}

/** An address from the name of the workflow: "Support desk" → "support-desk". */
function newChat(name: string): Settings {
  const slug = name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .slice(0, 60)
    .replaceAll(/^-+|-+$/g, "");
  return {
    slug: slug || "chat",
    agentId: null,
    title: name,
    greeting: "",
    placeholder: "",
    access: "public",
    origins: [],
  };
}
