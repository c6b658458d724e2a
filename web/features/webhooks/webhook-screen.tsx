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
import { CopyButton } from "../../ui/copy-button.tsx";
import { Switch } from "../../ui/switch.tsx";
import { RecordList } from "../../ui/record-list.tsx";
import { RecordScreen } from "../../ui/record-screen.tsx";
import { SecretDialog } from "../../ui/secret-dialog.tsx";
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
              <Empty title="No deliveries yet">
                Send a request to the URL above. Deliveries are listed here and can be redelivered.
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
  const [, navigate] = useLocation();
  const [secret, setSecret] = useState<string>();
  const nameOf = useWorkflowName();
  const update = useWebhookMutation((active: boolean) => updateWebhook(webhook.id, { active }));
  const rotate = useWebhookMutation(() => rotateWebhookSecret(webhook.id));
  const remove = useWebhookMutation(
    () => deleteWebhook(webhook.id),
    () => navigate("/endpoints/webhooks"),
  );
  return (
    <section className="card pad stack" aria-label="Settings">
      <div className="row">
        <code className="code grow ellipsis">{webhook.url}</code>
        <CopyButton text={webhook.url} />
      </div>
      <p className="small muted">
        Each request starts{" "}
        <Link href={`/workflows/${webhook.workflowId}`}>{nameOf(webhook.workflowId)}</Link>. Send the secret
        in the header <code>x-webhook-secret</code>
        {webhook.signature === null ? "." : `, or a ${webhook.signature.scheme} signature.`}
      </p>
      {update.error !== null && <Failure error={update.error} />}
      <div className="row wrap">
        <Switch
          label={webhook.active ? "Active" : "Paused"}
          checked={webhook.active}
          disabled={update.isPending}
          onChange={(on) => update.mutate(on)}
        />
        <span className="grow" />
        <ConfirmButton
          className="btn"
          question="Rotate the secret?"
          consequence="The current secret stops working immediately. The sender is refused until it uses the new one."
          confirm="Rotate"
          onConfirm={async () => setSecret(await rotate.mutateAsync(undefined))}
        >
          Rotate secret
        </ConfirmButton>
        <ConfirmButton
          className="btn danger"
          question={`Delete “${webhook.name}”?`}
          consequence="Its URL stops accepting requests and its deliveries are deleted. Its runs are kept."
          confirm="Delete"
          onConfirm={() => remove.mutateAsync(undefined)}
        >
          Delete
        </ConfirmButton>
      </div>
      {secret !== undefined && (
        <SecretDialog
          title="New webhook secret"
          label="Secret (header x-webhook-secret)"
          value={secret}
          onClose={() => setSecret(undefined)}
        />
      )}
    </section>
  );
}
