import { useState } from "react";
import { inputSchemaOf } from "../../../../contract/apps.ts";
import { type AppDetails, useApp, useApps } from "../../../api/apps.ts";
import {
  createTrigger,
  type StoredTrigger,
  updateTrigger,
  useTriggerMutation,
} from "../../../api/triggers.ts";
import type { AppFields } from "../../../flow/app-fields.ts";
import { type FormValues, inputOf, valuesOf } from "../../../flow/input-values.ts";
import type { TriggerProposal } from "../../../flow/trigger-proposal.ts";
import { AppTile } from "../../../ui/app-tile.tsx";
import { Field, TextField } from "../../../ui/field.tsx";
import { PickList } from "../../../ui/pick-list.tsx";
import { Loaded } from "../../../ui/states.tsx";
import { ConnectionPicker } from "../../connections/connection-picker.tsx";
import { InputFields } from "../../forms/input-fields.tsx";
import { OptionsField } from "../apps/options-field.tsx";
import { IntervalField, StartWithField, TriggerFormFrame, type TriggerFormProps } from "./trigger-form.tsx";

type Settings = Extract<StoredTrigger, { kind: "app" }>["settings"];

/** What happens in an app: the app and its trigger first, then the connection and the fields. */
export function AppTriggerForm(props: TriggerFormProps<"app">) {
  const { trigger, builder } = props;
  const [chosen, setChosen] = useState(() =>
    trigger === undefined
      ? proposedOf(builder.proposedTrigger)
      : { app: trigger.settings.app, trigger: trigger.settings.trigger },
  );
  const app = useApp(chosen?.app);
  if (chosen === undefined)
    return <ChooseTrigger onChoose={(appId, trigger) => setChosen({ app: appId, trigger })} />;
  return (
    <Loaded query={app} rows={3}>
      {(details) => (
        <SettingsForm
          {...props}
          app={details}
          triggerId={chosen.trigger}
          onBack={props.trigger === undefined ? () => setChosen(undefined) : undefined}
        />
      )}
    </Loaded>
  );
}

function proposedOf(proposal: TriggerProposal | undefined): { app: string; trigger: string } | undefined {
  const app = proposal?.app;
  const event = proposal?.event;
  return app === undefined || event === undefined ? undefined : { app, trigger: event };
}

function ChooseTrigger({ onChoose }: { onChoose: (app: string, trigger: string) => void }) {
  const [search, setSearch] = useState("");
  const apps = useApps();
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const items = (apps.data ?? []).flatMap((app) =>
    app.triggers
      .filter(({ title, description, synonyms }) => {
        const text = [app.title, title, description, ...synonyms, ...app.synonyms].join(" ").toLowerCase();
        return words.every((word) => text.includes(word));
      })
      .map(({ id, title }) => ({
        key: `${app.id} ${id}`,
        title,
        detail: app.title,
        icon: <AppTile icon={app.icon} />,
      })),
  );
  return (
    <PickList
      label="Search apps and events"
      text={search}
      onText={setSearch}
      items={items}
      emptyMessage={
        apps.isPending ? "Loading …" : "No app has such a trigger. A webhook takes events of any service."
      }
      onPick={(key) => {
        const [app = "", trigger = ""] = key.split(" ");
        onChoose(app, trigger);
      }}
    />
  );
}

interface SettingsFormProps extends TriggerFormProps<"app"> {
  app: AppDetails;
  triggerId: string;
  /** Chooses another trigger; only before it is created. */
  onBack: (() => void) | undefined;
}

function SettingsForm({ builder, trigger, onSaved, app, triggerId, onBack }: SettingsFormProps) {
  const event = app.triggers.find(({ id }) => id === triggerId);
  const fields = (event?.input ?? {}) as AppFields;
  const typed = inputSchemaOf(
    Object.fromEntries(Object.entries(fields).filter(([, field]) => !field.options)),
  );
  const stored = trigger?.settings;
  const [name, setName] = useState(trigger?.name ?? "");
  const [connection, setConnection] = useState(stored?.connection ?? "");
  const [values, setValues] = useState<FormValues>(() => valuesOf(typed, stored?.input));
  const [picked, setPicked] = useState<Record<string, unknown>>(() =>
    Object.fromEntries(
      Object.keys(fields)
        .filter((field) => fields[field]?.options !== undefined)
        .map((field) => [field, stored?.input[field]]),
    ),
  );
  const [intervalSeconds, setInterval] = useState(stored?.intervalSeconds ?? 300);
  const [startWith, setStartWith] = useState<"new" | "all">(stored?.startWith ?? "new");
  const [isChecked, setChecked] = useState(false);
  const { input, problems } = inputOf(typed, values);
  const given = { ...input, ...withoutEmpty(picked) };
  const settings = { app: app.id, trigger: triggerId, connection, input: given, intervalSeconds, startWith };
  const save = useTriggerMutation(
    () =>
      trigger === undefined
        ? createTrigger({
            kind: "app",
            workflowId: builder.workflow.id,
            name: name || (event?.title ?? app.title),
            settings: settings as Settings,
          })
        : updateTrigger(trigger.id, { name, settings }),
    onSaved,
  );
  return (
    <TriggerFormFrame
      isNew={trigger === undefined}
      isChanged={name !== trigger?.name || JSON.stringify(settings) !== JSON.stringify(stored)}
      create="Create trigger"
      save={{
        ...save,
        mutate: () => {
          setChecked(true);
          if (Object.keys(problems).length === 0) save.mutate(undefined);
        },
      }}
    >
      <div className="row">
        <AppTile icon={app.icon} size="large" />
        <div className="grow">
          <b>{event?.title ?? triggerId}</b>
          <div className="small muted">{event?.description ?? app.title}</div>
        </div>
        {onBack !== undefined && (
          <button type="button" className="btn ghost tiny" onClick={onBack}>
            Change
          </button>
        )}
      </div>
      <Field label="Connection">
        {(ids) => (
          <ConnectionPicker
            ids={ids}
            wanted={{ app: app.id }}
            value={connection}
            onChange={(id) => setConnection(id ?? "")}
          />
        )}
      </Field>
      {Object.entries(fields)
        .filter(([, field]) => field.options !== undefined)
        .map(([field, definition]) => (
          <OptionsField
            key={field}
            app={app.id}
            connection={connection === "" ? undefined : connection}
            field={definition}
            given={given}
            value={picked[field]}
            onChange={(value) => setPicked({ ...picked, [field]: value })}
            error={undefined}
            isPlain
          />
        ))}
      <InputFields schema={typed} values={values} onChange={setValues} problems={isChecked ? problems : {}} />
      <TextField label="Name" value={name} onChange={setName} placeholder={event?.title ?? ""} />
      {event?.kind === "polling" && <IntervalField seconds={intervalSeconds} onChange={setInterval} />}
      {event?.kind === "polling" && trigger === undefined && (
        <StartWithField value={startWith} onChange={setStartWith} />
      )}
    </TriggerFormFrame>
  );
}

function withoutEmpty(values: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(values).filter(([, value]) => value !== undefined && value !== ""),
  );
}
