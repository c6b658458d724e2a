import { useState } from "react";
import type { ApiSettingsInput } from "../../../contract/workflows.ts";
import { endpointUrl } from "../../api/endpoints.ts";
import type { WorkflowHead } from "../../api/types.ts";
import { saveWorkflow, useWorkflowMutation } from "../../api/workflows.ts";
import { CopyButton } from "../../ui/copy-button.tsx";
import { Switch, TextField } from "../../ui/field.tsx";
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
  const address = endpointUrl(workflow);
  return (
    <>
      <section className="card pad stack" aria-label="Settings">
        <Switch
          label={apiSettings.enabled ? "The endpoint is on" : "The endpoint is off"}
          checked={apiSettings.enabled}
          disabled={save.isPending}
          onChange={(enabled) => set({ enabled })}
        />
        {save.error !== null && <Failure error={save.error} />}
        {apiSettings.enabled && (
          <>
            <form
              className="row wrap beside"
              onSubmit={(event) => {
                event.preventDefault();
                set({ endpointName: slug });
              }}
            >
              <div className="grow">
                <TextField
                  label="Name in the address"
                  value={slug}
                  onChange={setSlug}
                  hint="Letters, digits, - and _. Empty: the address carries the workflow’s id."
                  mono
                />
              </div>
              <button
                type="submit"
                className="btn"
                disabled={slug === (apiSettings.endpointName ?? "") || save.isPending}
              >
                Save the name
              </button>
            </form>
            <div className="row wrap">
              <Switch
                label="An API key is needed"
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
            </div>
            {!apiSettings.authentication && (
              <div className="notice wait">Anyone who knows the address can start this workflow.</div>
            )}
            <div className="row">
              <code className="code grow ellipsis">{address}</code>
              <CopyButton text={address} />
            </div>
          </>
        )}
      </section>
      {apiSettings.enabled ? (
        <>
          <CallExamples address={address} withKey={apiSettings.authentication} />
          <TryIt workflow={workflow} withKey={apiSettings.authentication} />
        </>
      ) : (
        <p className="muted">
          Switch it on, and the address with a ready call in three languages stands here.
        </p>
      )}
    </>
  );
}
