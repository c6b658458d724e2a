import { useState } from "react";
import { Link, useLocation, useParams } from "wouter";
import {
  deleteWebhook,
  rotateWebhookSecret,
  updateWebhook,
  useDeliveryPages,
  useWebhook,
  useWebhookMutation,
  type Webhook,
} from "../../api/webhooks.ts";
import { useWorkflowName } from "../../api/workflows.ts";
import { ConfirmButton } from "../../ui/confirm-button.tsx";
import { CopyButton, ShownOnce } from "../../ui/copy-button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Switch } from "../../ui/field.tsx";
import { RecordList } from "../../ui/record-list.tsx";
import { RecordScreen } from "../../ui/record-screen.tsx";
import { Empty, Failure } from "../../ui/states.tsx";
import { DeliveryList } from "./delivery-list.tsx";
import { WebhookDialog } from "./webhook-dialog.tsx";

export function WebhookScreen() {
  const { id } = useParams<{ id: string }>();
  const webhook = useWebhook(id);
  const deliveries = useDeliveryPages(id);
  return (
    <RecordScreen
      noun="Webhook"
      home={{ to: "/endpoints/webhooks", label: "Webhooks" }}
      record={webhook}
      editor={(record, close) => <WebhookDialog webhook={record} onClose={close} />}
    >
      {(record) => (
        <>
          <Settings webhook={record} />
          <h2>Deliveries</h2>
          <RecordList
            list={deliveries}
            empty={
              <Empty title="Nothing has arrived yet">
                Send something to the address above. What came stands here, and can be sent again.
              </Empty>
            }
          >
            {(list) => <DeliveryList webhookId={id} list={list} />}
          </RecordList>
        </>
      )}
    </RecordScreen>
  );
}

function Settings({ webhook }: { webhook: Webhook }) {
  const [, go] = useLocation();
  const [secret, setSecret] = useState<string>();
  const nameOf = useWorkflowName();
  const update = useWebhookMutation((active: boolean) => updateWebhook(webhook.id, { active }));
  const rotate = useWebhookMutation(() => rotateWebhookSecret(webhook.id));
  const remove = useWebhookMutation(
    () => deleteWebhook(webhook.id),
    () => go("/endpoints/webhooks"),
  );
  return (
    <section className="card pad stack" aria-label="Settings">
      <div className="row">
        <code className="code grow ellipsis">{webhook.url}</code>
        <CopyButton text={webhook.url} />
      </div>
      <p className="small muted">
        Each call starts <Link href={`/workflows/${webhook.workflowId}`}>{nameOf(webhook.workflowId)}</Link>.
        The secret goes into the header <code>x-webhook-secret</code>
        {webhook.signature === null
          ? "."
          : `, or the sender signs in the way of ${webhook.signature.scheme}.`}
      </p>
      {update.error !== null && <Failure error={update.error} />}
      <div className="row wrap">
        <Switch
          label={webhook.active ? "Takes calls" : "Switched off"}
          checked={webhook.active}
          disabled={update.isPending}
          onChange={(on) => update.mutate(on)}
        />
        <span className="grow" />
        <ConfirmButton
          className="btn"
          question="Make a new secret?"
          consequence="The old one stops working at once: the sender is refused until it has the new one."
          confirm="Make it"
          act={async () => setSecret(await rotate.mutateAsync(undefined))}
        >
          New secret
        </ConfirmButton>
        <ConfirmButton
          className="btn danger"
          question={`Delete “${webhook.name}”?`}
          consequence="Its address takes no more calls, and its deliveries go with it. Runs that it has started stay."
          confirm="Delete"
          act={() => remove.mutateAsync(undefined)}
        >
          Delete
        </ConfirmButton>
      </div>
      {secret !== undefined && (
        <Dialog title="The new secret" onClose={() => setSecret(undefined)}>
          <ShownOnce label="Secret" value={secret} />
          <p className="small">The old one has stopped working.</p>
        </Dialog>
      )}
    </section>
  );
}
