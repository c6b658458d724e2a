import { useState } from "react";
import { Link } from "wouter";
import type { ApiSettingsInput } from "../../../../contract/workflow-settings.ts";
import { endpointUrl } from "../../../api/endpoints.ts";
import { createKey, useKeyMutation } from "../../../api/keys.ts";
import { saveWorkflow, useWorkflowMutation } from "../../../api/workflows.ts";
import { sampleInput } from "../../../flow/input-schema-edit.ts";
import { stepTitle } from "../../../../contract/graph/step-titles.ts";
import { Allowed, ReadOnlyUnless } from "../../../ui/allowed.tsx";
import { CopyButton } from "../../../ui/copy-button.tsx";
import { CopyLine } from "../../../ui/copy-line.tsx";
import { SelectField } from "../../../ui/field.tsx";
import { Failure } from "../../../ui/states.tsx";
import { Tabs } from "../../../ui/tabs.tsx";
import { CallExamples } from "./call-examples.tsx";
import { EndpointName } from "./endpoint-name.tsx";
import { DeleteTrigger } from "./delete-trigger.tsx";
import { InputFieldsEditor } from "./input-fields-editor.tsx";
import { LiveNote } from "./live-note.tsx";
import { PanelFrame, type TriggerPanelProps } from "./panel-frame.tsx";
import { RecentCalls } from "./recent-calls.tsx";
import { TestInput } from "./test-input.tsx";
import { TryIt } from "./try-it.tsx";

/** What a synchronous call answers. */
const RESPONSES = [
  { value: "result", label: "When the run ends, with its result" },
  { value: "task", label: "Immediately, with the id of the run" },
  { value: "custom", label: "When the run ends, as a step defines it" },
];

export function EndpointPanel({ builder }: TriggerPanelProps) {
  const { workflow } = builder;
  const { apiSettings } = workflow;
  const [tab, setTab] = useState<"settings" | "try" | "calls">("settings");
  const save = useWorkflowMutation((change: ApiSettingsInput) =>
    saveWorkflow(workflow.id, { apiSettings: change }),
  );
  // Here, so that it is still shown after a look at another tab.
  const newKey = useKeyMutation(() => createKey({ name: "Endpoint" }));
  const url = endpointUrl(workflow);
  return (
    <PanelFrame
      builder={builder}
      kind="endpoint"
      title="Endpoint"
      may="updateWorkflow"
      active={{
        checked: apiSettings.enabled,
        disabled: save.isPending,
        onChange: (enabled) => save.mutate({ enabled }),
      }}
    >
      <Tabs
        label="Endpoint"
        value={tab}
        onChange={setTab}
        tabs={[
          { value: "settings", label: "Settings" },
          { value: "try", label: "Call it" },
          { value: "calls", label: "Recent calls" },
        ]}
      >
        {save.error !== null && <Failure error={save.error} />}
        {tab === "settings" && <EndpointSettings builder={builder} save={save} newKey={newKey} />}
        {tab === "try" && (
          <>
            <CallExamples
              url={url}
              withKey={apiSettings.authentication}
              input={sampleInput(workflow.metadata.inputSchema)}
            />
            {apiSettings.authentication && (
              <Allowed to="createApiKey">
                <NewKey create={newKey} />
              </Allowed>
            )}
            <TryIt
              key={newKey.data}
              workflow={workflow}
              newKey={newKey.data}
              withKey={apiSettings.authentication}
              sample={sampleInput(workflow.metadata.inputSchema)}
            />
          </>
        )}
        {tab === "calls" && <RecentCalls workflowId={workflow.id} trigger="api" empty="No calls yet." />}
      </Tabs>
    </PanelFrame>
  );
}

interface EndpointSettingsProps {
  builder: TriggerPanelProps["builder"];
  save: ReturnType<typeof useWorkflowMutation<ApiSettingsInput, unknown>>;
  newKey: NewKeyMutation;
}

function EndpointSettings({ builder, save, newKey }: EndpointSettingsProps) {
  const { workflow } = builder;
  const { apiSettings } = workflow;
  const url = endpointUrl(workflow);
  return (
    <>
      <LiveNote builder={builder} />
      {!apiSettings.enabled && (
        <div className="notice wait">Paused: calls are refused with 404 until it is active.</div>
      )}
      <div className="side">
        <CopyLine label="Live URL">
          <code className="code breakable">{url}</code>
          <CopyButton text={url} />
        </CopyLine>
        <ReadOnlyUnless may="updateWorkflow">
          <EndpointName workflow={workflow} />
          <SelectField
            label="Authentication"
            value={apiSettings.authentication ? "key" : "none"}
            onChange={(value) => save.mutate({ authentication: value === "key" })}
            options={[
              { value: "key", label: "API key" },
              { value: "none", label: "None" },
            ]}
          />
          <ResponseSettings builder={builder} onChange={save.mutate} />
        </ReadOnlyUnless>
      </div>
      {!apiSettings.authentication && (
        <div className="notice wait">Anyone who knows the URL can start this workflow.</div>
      )}
      {apiSettings.authentication && (
        <Allowed to="createApiKey">
          <NewKey create={newKey} />
        </Allowed>
      )}
      <ReadOnlyUnless may="updateWorkflow">
        <TestInput builder={builder} load={() => sampleInput(builder.history.draft.inputSchema)} />
        <InputFieldsEditor builder={builder} />
        <DeleteTrigger
          builder={builder}
          label="Remove endpoint"
          question="Remove the endpoint?"
          consequence={`Calls to ${url} are refused. The name stays reserved for you for 30 days. Runs and API keys are kept.`}
          confirm="Remove"
          onDelete={() => save.mutateAsync({ enabled: false, endpointName: null })}
        />
      </ReadOnlyUnless>
    </>
  );
}

function ResponseSettings({
  builder,
  onChange,
}: {
  builder: TriggerPanelProps["builder"];
  onChange: (change: ApiSettingsInput) => void;
}) {
  const { apiSettings } = builder.workflow;
  const response = !apiSettings.sync ? "task" : apiSettings.customResponse === true ? "custom" : "result";
  return (
    <>
      <SelectField
        label="Response"
        value={response}
        options={RESPONSES}
        hint={response === "custom" ? "The response step returns {statusCode, headers, body}." : undefined}
        onChange={(value) => onChange({ sync: value !== "task", customResponse: value === "custom" })}
      />
      {apiSettings.sync && (
        <SelectField
          label="Response step"
          emptyOption="The only final step"
          value={apiSettings.responseStepId ?? ""}
          options={builder.history.draft.steps.map((step) => ({
            value: step.stepId,
            label: stepTitle(step),
          }))}
          onChange={(responseStepId) =>
            onChange({ responseStepId: responseStepId === "" ? null : responseStepId })
          }
        />
      )}
    </>
  );
}

type NewKeyMutation = ReturnType<typeof useKeyMutation<unknown, string>>;

/** Creates an API key without leaving the panel; it is shown until the panel is closed. */
function NewKey({ create }: { create: NewKeyMutation }) {
  return (
    <section className="stack tight" aria-label="API key">
      {create.error !== null && <Failure error={create.error} />}
      {create.data === undefined ? (
        <div className="row">
          <button
            type="button"
            className="btn"
            disabled={create.isPending}
            onClick={() => create.mutate(undefined)}
          >
            Create API key
          </button>
          <Link className="small" href="/settings/api-keys">
            Manage API keys
          </Link>
        </div>
      ) : (
        <>
          <div className="row copy-line">
            <code className="code ellipsis" data-secret>
              {create.data}
            </code>
            <CopyButton text={create.data} />
          </div>
          <p className="xs muted">Copy the key now. You will not be able to see it again.</p>
        </>
      )}
    </section>
  );
}
