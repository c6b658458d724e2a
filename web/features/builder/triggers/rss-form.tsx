import { useState } from "react";
import { createTrigger, updateTrigger, useTriggerMutation } from "../../../api/triggers.ts";
import { TextField } from "../../../ui/field.tsx";
import { IntervalField, StartWithField, TriggerFormFrame, type TriggerFormProps } from "./trigger-form.tsx";

export function RssForm({ builder, trigger, onSaved }: TriggerFormProps<"rss">) {
  const [name, setName] = useState(trigger?.name ?? "");
  const [settings, setSettings] = useState(
    trigger?.settings ?? {
      url: builder.proposedTrigger?.url ?? "",
      intervalSeconds: 900,
      startWith: "new" as const,
    },
  );
  const change = (next: Partial<typeof settings>) => setSettings((before) => ({ ...before, ...next }));
  const save = useTriggerMutation(
    () =>
      trigger === undefined
        ? createTrigger({ kind: "rss", workflowId: builder.workflow.id, name, settings })
        : updateTrigger(trigger.id, { name, settings }),
    onSaved,
  );
  const isChanged = name !== trigger?.name || JSON.stringify(settings) !== JSON.stringify(trigger.settings);
  return (
    <TriggerFormFrame
      isNew={trigger === undefined}
      isChanged={isChanged}
      create="Create feed trigger"
      save={save}
    >
      <TextField
        label="Feed URL"
        type="url"
        required
        mono
        value={settings.url}
        onChange={(url) => change({ url })}
        placeholder="https://blog.example/feed.xml"
      />
      <TextField label="Name" value={name} onChange={setName} placeholder="Feed" />
      <IntervalField
        seconds={settings.intervalSeconds}
        onChange={(intervalSeconds) => change({ intervalSeconds })}
      />
      {trigger === undefined && (
        <StartWithField value={settings.startWith} onChange={(startWith) => change({ startWith })} />
      )}
    </TriggerFormFrame>
  );
}
