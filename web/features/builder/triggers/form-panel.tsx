import { ExternalLink } from "lucide-react";
import { useState } from "react";
import type { FormSettingsInput } from "../../../../contract/forms.ts";
import type { ApiSettingsInput } from "../../../../contract/workflow-settings.ts";
import { saveWorkflow, useWorkflowMutation } from "../../../api/workflows.ts";
import { valuesOf } from "../../../flow/input-values.ts";
import { sampleInput } from "../../../flow/input-schema-edit.ts";
import { ReadOnlyUnless } from "../../../ui/allowed.tsx";
import { CopyButton } from "../../../ui/copy-button.tsx";
import { CopyLine } from "../../../ui/copy-line.tsx";
import { SelectField, TextField } from "../../../ui/field.tsx";
import { Failure } from "../../../ui/states.tsx";
import { Tabs } from "../../../ui/tabs.tsx";
import { InputFields } from "../../forms/input-fields.tsx";
import { EndpointName } from "./endpoint-name.tsx";
import { DeleteTrigger } from "./delete-trigger.tsx";
import { InputFieldsEditor } from "./input-fields-editor.tsx";
import { LiveNote } from "./live-note.tsx";
import { PanelFrame, type TriggerPanelProps } from "./panel-frame.tsx";
import { RecentCalls } from "./recent-calls.tsx";
import { TestInput } from "./test-input.tsx";

interface FormChange {
  form?: FormSettingsInput | null;
  apiSettings?: ApiSettingsInput;
}

export function FormPanel({ builder }: TriggerPanelProps) {
  const { workflow } = builder;
  const { form } = workflow;
  const [tab, setTab] = useState<"settings" | "preview" | "calls">("settings");
  const save = useWorkflowMutation((change: FormChange) => saveWorkflow(workflow.id, change));
  return (
    <PanelFrame
      builder={builder}
      kind="form"
      title={form?.title ?? "Form"}
      may="updateWorkflow"
      active={{
        checked: form?.enabled === true,
        disabled: save.isPending,
        onChange: (enabled) => save.mutate({ form: { enabled } }),
      }}
    >
      <Tabs
        label="Form"
        value={tab}
        onChange={setTab}
        tabs={[
          { value: "settings", label: "Settings" },
          { value: "preview", label: "Preview" },
          { value: "calls", label: "Responses" },
        ]}
      >
        {save.error !== null && <Failure error={save.error} />}
        {tab === "settings" && <FormSettings builder={builder} save={save} />}
        {tab === "preview" && <FormPreview builder={builder} />}
        {tab === "calls" && <RecentCalls workflowId={workflow.id} trigger="form" empty="No responses yet." />}
      </Tabs>
    </PanelFrame>
  );
}

interface FormSettingsProps {
  builder: TriggerPanelProps["builder"];
  save: ReturnType<typeof useWorkflowMutation<FormChange, unknown>>;
}

function FormSettings({ builder, save }: FormSettingsProps) {
  const { workflow } = builder;
  const { apiSettings, form } = workflow;
  const needsKey = form?.authentication ?? apiSettings.authentication;
  const url = `${location.origin}/f/${apiSettings.endpointName ?? workflow.id}`;
  return (
    <>
      <LiveNote builder={builder} />
      <div className="side">
        <CopyLine label="Link">
          <code className="code breakable">{url}</code>
          <CopyButton text={url} />
          <a className="btn icon" href={url} target="_blank" rel="noreferrer" aria-label="Open the form">
            <ExternalLink size={14} />
          </a>
        </CopyLine>
        <ReadOnlyUnless may="updateWorkflow">
          <EndpointName workflow={workflow} />
          <SelectField
            label="Access"
            value={needsKey ? "key" : "anyone"}
            hint={needsKey ? "The page asks for an API key of this workspace." : undefined}
            onChange={(value) => save.mutate({ form: { authentication: value === "key" } })}
            options={[
              { value: "anyone", label: "Anyone with the link" },
              { value: "key", label: "People with an API key" },
            ]}
          />
          <SelectField
            label="After sending"
            value={apiSettings.sync ? "result" : "thanks"}
            onChange={(value) => save.mutate({ apiSettings: { sync: value === "result" } })}
            options={[
              { value: "result", label: "Show the result" },
              { value: "thanks", label: "Show a thank-you text" },
            ]}
          />
        </ReadOnlyUnless>
      </div>
      <ReadOnlyUnless may="updateWorkflow">
        <TestInput builder={builder} load={() => sampleInput(builder.history.draft.inputSchema)} />
        <InputFieldsEditor builder={builder} />
        <FormTexts
          key={String(form === undefined)}
          builder={builder}
          onSave={(texts) => save.mutate({ form: texts })}
        />
        <DeleteTrigger
          builder={builder}
          label="Delete form"
          question="Delete the form?"
          consequence={`The page ${url} is closed, and its texts are deleted. Input fields and past runs are kept.`}
          onDelete={() => save.mutateAsync({ form: null })}
        />
      </ReadOnlyUnless>
    </>
  );
}

const TEXTS = [
  { name: "title", label: "Title", rows: undefined, example: "Form" },
  { name: "description", label: "Description", rows: 2, example: undefined },
  { name: "submitLabel", label: "Button", rows: undefined, example: "Submit" },
  { name: "successMessage", label: "Thank-you text", rows: 2, example: undefined },
] as const;

function FormTexts({
  builder,
  onSave,
}: {
  builder: TriggerPanelProps["builder"];
  onSave: (texts: FormSettingsInput) => void;
}) {
  const saved = builder.workflow.form;
  const [texts, setTexts] = useState(() => TEXTS.map(({ name }) => saved?.[name] ?? ""));
  const isChanged = TEXTS.some(({ name }, index) => texts[index] !== (saved?.[name] ?? ""));
  return (
    <form
      className="side"
      onSubmit={(event) => {
        event.preventDefault();
        onSave(Object.fromEntries(TEXTS.map(({ name }, index) => [name, texts[index] || null])));
      }}
    >
      {TEXTS.map(({ name, label, rows, example }, index) =>
        // The page shows the result instead.
        name === "successMessage" && builder.workflow.apiSettings.sync ? null : (
          <TextField
            key={name}
            label={label}
            {...(rows === undefined ? {} : { rows })}
            {...(example === undefined ? {} : { placeholder: example })}
            value={texts[index] ?? ""}
            onChange={(value) => setTexts(texts.with(index, value))}
          />
        ),
      )}
      {isChanged && (
        <div className="actions">
          <button type="submit" className="btn">
            Save texts
          </button>
        </div>
      )}
    </form>
  );
}

/** The fields of the draft, as the page shows them once it is published. */
function FormPreview({ builder }: { builder: TriggerPanelProps["builder"] }) {
  const { draft } = builder.history;
  const schema = draft.inputSchema ?? { type: "object" as const };
  const [values, setValues] = useState(() => valuesOf(schema, {}));
  const { form } = builder.workflow;
  return (
    <section className="card pad stack" aria-label="Preview">
      <h2>{form?.title ?? "Form"}</h2>
      {form?.description !== undefined && <p className="form-description">{form.description}</p>}
      {draft.inputSchema === undefined && <p className="muted">Add input fields to ask for something.</p>}
      <InputFields schema={schema} values={values} onChange={setValues} problems={{}} />
      <div>
        <button type="button" className="btn go" disabled>
          {form?.submitLabel ?? "Submit"}
        </button>
      </div>
    </section>
  );
}
