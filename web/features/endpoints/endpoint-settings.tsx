import { useState } from "react";
import type { ApiSettingsInput } from "../../../contract/workflows.ts";
import { endpointUrl } from "../../api/endpoints.ts";
import type { WorkflowHead } from "../../api/types.ts";
import { saveWorkflow, useWorkflowMutation } from "../../api/workflows.ts";
import { CopyButton } from "../../ui/copy-button.tsx";
import { TextField } from "../../ui/field.tsx";
import { Switch } from "../../ui/switch.tsx";
import { Failure } from "../../ui/states.tsx";
import { CallExamples } from "./call-examples.tsx";
import { TryIt } from "./try-it.tsx";

export function EndpointSettings({ workflow }: { workflow: WorkflowHead }) {
  const { apiSettings } = workflow;
  const [slug, setSlug] = useState(apiSettings.endpointName ?? "");
  const save = useWorkflowMutation((change: ApiSettingsInput) =>
    saveWorkflow(workflow.id, { apiSettings: change }),
  );
  const set = (change: ApiSettingsInput): void => save.mutate(change);
  const url = endpointUrl(workflow);
  return (
    <>
      <section className="card pad stack" aria-label="Settings">
        <Switch
          label={apiSettings.enabled ? "Endpoint enabled" : "Endpoint disabled"}
          checked={apiSettings.enabled}
          disabled={save.isPending}
          onChange={(enabled) => set({ enabled })}
        />
        {save.error !== null && <Failure error={save.error} />}
        {apiSettings.enabled && (
          <>
            <form
              className="row wrap field-and-button"
              onSubmit={(event) => {
                event.preventDefault();
                set({ endpointName: slug });
              }}
            >
              <div className="grow">
                <TextField
                  label="Slug"
                  value={slug}
                  onChange={setSlug}
                  hint="Letters, digits, - and _. Without a slug, the URL uses the workflow ID."
                  mono
                />
              </div>
              <button
                type="submit"
                className="btn"
                disabled={slug === (apiSettings.endpointName ?? "") || save.isPending}
              >
                Save slug
              </button>
            </form>
            <div className="row wrap">
              <Switch
                label="Require an API key"
                checked={apiSettings.authentication}
                disabled={save.isPending}
                onChange={(authentication) => set({ authentication })}
              />
              <Switch
                label="Wait for the result"
                checked={apiSettings.sync}
                disabled={save.isPending}
                onChange={(sync) => set({ sync })}
              />
              {apiSettings.sync && (
                <Switch
                  label="Custom response"
                  checked={apiSettings.customResponse === true}
                  disabled={save.isPending}
                  onChange={(customResponse) => set({ customResponse })}
                />
              )}
            </div>
            {apiSettings.sync && apiSettings.customResponse === true && (
              <p className="muted">
                The response step returns <code>{"{statusCode, headers, body}"}</code>.
              </p>
            )}
            {!apiSettings.authentication && (
              <div className="notice wait">Anyone who knows the URL can start this workflow.</div>
            )}
            <div className="row">
              <code className="code grow ellipsis">{url}</code>
              <CopyButton text={url} />
            </div>
          </>
        )}
      </section>
      {apiSettings.enabled ? (
        <>
          <CallExamples url={url} withKey={apiSettings.authentication} />
          <TryIt workflow={workflow} withKey={apiSettings.authentication} />
        </>
      ) : (
        <p className="muted">Enable the endpoint to get its URL and code examples in three languages.</p>
      )}
    </>
  );
}
