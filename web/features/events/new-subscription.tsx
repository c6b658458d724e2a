import { useState } from "react";
import {
  createSubscription,
  type EventType,
  type SubscriptionWithSecret,
  useSubscriptionMutation,
} from "../../api/events.ts";
import { useWorkflows } from "../../api/workflows.ts";
import { CheckboxList } from "../../ui/checkbox-list.tsx";
import { Field, TextField } from "../../ui/field.tsx";
import { Failure } from "../../ui/states.tsx";
import { EVENT_OPTIONS } from "./event-types.ts";

const DEFAULT_TYPES: readonly string[] = ["baton.run.failed", "baton.approval.requested"];

/** The form that subscribes an address. */
export function NewSubscription({ onCreated }: { onCreated: (created: SubscriptionWithSecret) => void }) {
  const [url, setUrl] = useState("");
  const [types, setTypes] = useState(DEFAULT_TYPES);
  const [workflowId, setWorkflowId] = useState("");
  const workflows = useWorkflows().data ?? [];
  const create = useSubscriptionMutation(
    () => createSubscription({ url, types: types as EventType[], workflowId: workflowId || null }),
    (created) => {
      setUrl("");
      onCreated(created);
    },
  );
  return (
    <form
      className="card pad stack event-form"
      aria-label="New event subscription"
      onSubmit={(event) => {
        event.preventDefault();
        create.mutate(undefined);
      }}
    >
      <TextField
        label="Send events to"
        type="url"
        required
        value={url}
        onChange={setUrl}
        placeholder="https://example.com/events"
        hint="Receives each event as a signed POST request (CloudEvents, Standard Webhooks)."
      />
      <CheckboxList
        label="Events"
        options={EVENT_OPTIONS}
        selected={types}
        onChange={setTypes}
        hint={types.length === 0 ? "Choose at least one event." : undefined}
      />
      <Field label="Workflow">
        {(ids) => (
          <select
            className="in"
            {...ids}
            value={workflowId}
            onChange={(event) => setWorkflowId(event.target.value)}
          >
            <option value="">Every workflow</option>
            {workflows.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
        )}
      </Field>
      {create.error !== null && <Failure error={create.error} />}
      <div className="actions">
        <button type="submit" className="btn go" disabled={create.isPending || types.length === 0}>
          Subscribe
        </button>
      </div>
    </form>
  );
}
