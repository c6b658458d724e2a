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

interface ChatFormProps extends Omit<TriggerFormProps<"chat">, "builder"> {
  /** A workflow or an agent. */
  answeredBy: { workflowId: string } | { agentId: string };
  /** The name of the workflow or the agent. */
  name: string;
}

type Settings = Extract<StoredTrigger, { kind: "chat" }>["settings"];

export function ChatForm({ answeredBy, name, trigger, onSaved }: ChatFormProps) {
  const [settings, setSettings] = useState<Settings>(trigger?.settings ?? newChat(name));
  const [origins, setOrigins] = useState(() => settings.origins.join(", "));
  const change = (next: Partial<Settings>) => setSettings((before) => ({ ...before, ...next }));
  const agentId = "agentId" in answeredBy ? answeredBy.agentId : null;
  const given = { ...settings, agentId, origins: splitCommas(origins) };
  const save = useTriggerMutation(
    () =>
      trigger === undefined
        ? createTrigger({
            kind: "chat",
            workflowId: "workflowId" in answeredBy ? answeredBy.workflowId : null,
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

/** An address from a name: "Support desk" → "support-desk". */
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
