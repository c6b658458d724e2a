import { useState } from "react";
import type { Problem, Step } from "../../../../contract/graph.ts";
import { type AppDetails, useApp, useApps } from "../../../api/apps.ts";
import { type AppFields, appFormField, asFieldValue, shownAppFields } from "../../../flow/app-fields.ts";
import { fieldProblem } from "../../../flow/field-problems.ts";
import { wantedConnection } from "../../../flow/wanted-connection.ts";
import { Loaded } from "../../../ui/states.tsx";
import { ConnectionPicker } from "../../connections/connection-picker.tsx";
import { FieldInput } from "../inspector/field-input.tsx";
import { SelectInput } from "../inspector/select-input.tsx";
import { SettingField } from "../inspector/setting-field.tsx";
import { focusField } from "../panel-focus.ts";
import { OptionsField } from "./options-field.tsx";

interface AppStepFieldsProps {
  step: Step;
  problems: readonly Problem[];
  set: (name: string, value: unknown) => void;
}

/** The form of an `app` step: the connection, then the fields of the action. */
export function AppStepFields(props: AppStepFieldsProps) {
  const { step } = props;
  const app = useApp(typeof step["app"] === "string" ? step["app"] : undefined, [String(step["action"])]);
  return (
    <Loaded query={app} rows={3}>
      {(details) => <ActionForm {...props} app={details} />}
    </Loaded>
  );
}

function ActionForm({ step, problems, set, app }: AppStepFieldsProps & { app: AppDetails }) {
  const action = app.actions.find(({ id }) => id === step["action"]);
  const actions = useActionsOf(app);
  const connection = typeof step["connection"] === "string" ? step["connection"] : undefined;
  return (
    <>
      {app.auth.length > 0 && (
        <div className="field-slot" data-field="connection">
          <SettingField label="Connection" error={fieldProblem(problems, "connection")}>
            {(ids) => (
              <ConnectionPicker
                ids={ids}
                wanted={wantedConnection(step)}
                value={connection}
                onChange={(id) => set("connection", id)}
              />
            )}
          </SettingField>
        </div>
      )}
      <SettingField label="Action" hint={action?.description} error={fieldProblem(problems, "action")}>
        {(ids) => (
          <SelectInput
            ids={ids}
            value={step["action"]}
            onChange={(id) => set("action", id)}
            options={actions.map(({ id, title }) => ({ value: id, label: title }))}
            emptyOption={undefined}
          />
        )}
      </SettingField>
      {action !== undefined && (
        <InputFields
          key={action.id}
          app={app.id}
          connection={connection}
          fields={action.input as AppFields}
          input={step["input"]}
          problems={problems}
          onChange={(input) => set("input", input)}
        />
      )}
    </>
  );
}

/** Only the action of the step is loaded of an app from an OpenAPI document; the others are in the list of apps. */
function useActionsOf(app: AppDetails): readonly { id: string; title: string }[] {
  const listed = useApps(app.isOwn).data?.find(({ id }) => id === app.id)?.actions ?? [];
  if (!app.isOwn) return app.actions;
  const hidden = app.actions.filter(({ id }) => !listed.some((one) => one.id === id));
  return [...listed, ...hidden];
}

interface InputFieldsProps {
  app: string;
  connection: string | undefined;
  fields: AppFields;
  input: unknown;
  problems: readonly Problem[];
  onChange: (input: unknown) => void;
}

function InputFields({ app, connection, fields, input, problems, onChange }: InputFieldsProps) {
  const [added, setAdded] = useState<ReadonlySet<string>>(new Set());
  const given = typeof input === "object" && input !== null ? (input as Record<string, unknown>) : {};
  const { shown, addable } = shownAppFields(fields, given, added);
  const set = (name: string, value: unknown): void => {
    const { [name]: _old, ...others } = given;
    const all = value === undefined || value === "" ? others : { ...others, [name]: value };
    onChange(Object.keys(all).length === 0 ? undefined : all);
  };
  return (
    <>
      {shown.map(([name, field]) => {
        const common = {
          value: given[name],
          error: inputProblem(problems, name),
          onChange: (value: unknown) => set(name, asFieldValue(field, value)),
        };
        return (
          <div key={name} className="field-slot" data-field={`input.${name}`}>
            {field.options === undefined ? (
              <FieldInput {...common} field={fieldFor(name, field, given[name])} />
            ) : (
              <OptionsField {...common} app={app} connection={connection} field={field} given={given} />
            )}
          </div>
        );
      })}
      {addable.length > 0 && (
        <div className="add-fields" role="group" aria-label="Add field">
          <span className="muted small">Add field</span>
          {addable.map(([name, field]) => (
            <button
              key={name}
              type="button"
              className="add-setting"
              title={field.description}
              onClick={() => {
                setAdded(new Set([...added, name]));
                focusField(`input.${name}`);
              }}
            >
              + {field.title}
            </button>
          ))}
        </div>
      )}
    </>
  );
}

/** Name and value pairs cannot show a placeholder that stands for all of them. */
function fieldFor(name: string, field: AppFields[string], value: unknown) {
  const form = appFormField(name, field);
  return form.kind === "record" && value !== undefined && typeof value !== "object"
    ? { ...form, kind: "value" as const }
    : form;
}

/** The validator names a field of the input by its path. A missing one is not wrong yet: it needs setup. */
function inputProblem(problems: readonly Problem[], name: string): string | undefined {
  const found = problems.find(
    ({ code, message }) => code === "invalid_field" && message.includes(`"input.${name}"`),
  );
  if (found === undefined) return undefined;
  const sentence = found.message.slice(found.message.indexOf(`"input.${name}"`) + name.length + 8);
  const trimmed = sentence.replace(/^[",:\s]+/, "");
  return trimmed.charAt(0).toUpperCase() + trimmed.slice(1);
}
