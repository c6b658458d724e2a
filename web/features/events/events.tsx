import { useState } from "react";
import {
  deleteSubscription,
  type EventSubscription,
  rotateSubscription,
  updateSubscription,
  useSubscriptionMutation,
  useSubscriptionPages,
} from "../../api/events.ts";
import { useWorkflowName } from "../../api/workflows.ts";
import { ConfirmButton } from "../../ui/confirm-button.tsx";
import { RecordTable } from "../../ui/record-table.tsx";
import { DeleteButton } from "../../ui/row-actions.tsx";
import { Screen } from "../../ui/screen.tsx";
import { SecretDialog } from "../../ui/secret-dialog.tsx";
import { Empty, Failure } from "../../ui/states.tsx";
import { Switch } from "../../ui/switch.tsx";
import type { Column } from "../../ui/table.tsx";
import { SettingsTabs } from "../settings/settings-tabs.tsx";
import { DeliveriesDialog } from "./deliveries-dialog.tsx";
import { eventLabel } from "./event-types.ts";
import { NewSubscription } from "./new-subscription.tsx";
import "./events.css";

/** Addresses that receive events of runs and approvals. */
export function Events() {
  const [secret, setSecret] = useState<string>();
  const [opened, setOpened] = useState<EventSubscription>();
  const subscriptions = useSubscriptionPages();
  const nameOf = useWorkflowName();
  const toggle = useSubscriptionMutation(({ id, active }: EventSubscription) =>
    updateSubscription(id, { active: !active }),
  );
  const columns: Column<EventSubscription>[] = [
    {
      title: "Address",
      cell: ({ url, types }) => (
        <span className="stack tight">
          <code className="breakable">{url}</code>
          <span className="xs muted">{types.map(eventLabel).join(", ")}</span>
        </span>
      ),
    },
    {
      title: "Workflow",
      wideOnly: true,
      cell: ({ workflowId }) => (workflowId === null ? "Every workflow" : nameOf(workflowId)),
    },
    {
      title: "Active",
      cell: (subscription) => (
        <span className="stack tight">
          <Switch
            name={`Send events to ${subscription.url}`}
            checked={subscription.active}
            onChange={() => toggle.mutate(subscription)}
          />
          {subscription.disabledReason !== null && (
            <span className="xs muted">Switched off: the receiver responded 410</span>
          )}
        </span>
      ),
    },
    {
      title: "Actions",
      hideTitle: true,
      actions: true,
      cell: (subscription) => (
        <SubscriptionActions
          subscription={subscription}
          onOpen={() => setOpened(subscription)}
          onSecret={setSecret}
        />
      ),
    },
  ];
  return (
    <Screen title="Settings">
      <div className="page">
        <SettingsTabs />
        <NewSubscription onCreated={(created) => setSecret(created.secret)} />
        {toggle.error !== null && <Failure error={toggle.error} />}
        <RecordTable
          list={subscriptions}
          columns={columns}
          keyOf={({ id }) => id}
          empty={
            <Empty title="No subscriptions yet">
              Subscribe an address, and Baton tells it about runs and approvals as they happen.
            </Empty>
          }
        />
      </div>
      {secret !== undefined && (
        <SecretDialog
          title="Signing secret"
          label="Secret for Standard Webhooks"
          value={secret}
          onClose={() => setSecret(undefined)}
        />
      )}
      {opened !== undefined && (
        <DeliveriesDialog subscription={opened} onClose={() => setOpened(undefined)} />
      )}
    </Screen>
  );
}

interface SubscriptionActionsProps {
  subscription: EventSubscription;
  onOpen: () => void;
  onSecret: (secret: string) => void;
}

function SubscriptionActions({ subscription: { id, url }, onOpen, onSecret }: SubscriptionActionsProps) {
  const rotate = useSubscriptionMutation(rotateSubscription, onSecret);
  const remove = useSubscriptionMutation(deleteSubscription);
  return (
    <span className="event-actions">
      <button type="button" className="btn tiny" aria-label={`Deliveries to ${url}`} onClick={onOpen}>
        Deliveries
      </button>
      <ConfirmButton
        className="btn tiny"
        label={`Rotate secret of ${url}`}
        question="Rotate the signing secret?"
        consequence="For 24 hours events are signed with the old and the new secret."
        confirm="Rotate secret"
        onConfirm={() => rotate.mutateAsync(id)}
      >
        Rotate secret
      </ConfirmButton>
      <DeleteButton
        may="deleteEventSubscription"
        label={`Delete the subscription of ${url}`}
        question="Delete this subscription?"
        consequence="Its deliveries are deleted, and events that are still pending are not sent."
        onConfirm={() => remove.mutateAsync(id)}
      />
    </span>
  );
}
