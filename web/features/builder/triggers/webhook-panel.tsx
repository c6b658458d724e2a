import { useState } from "react";
import {
  deleteWebhook,
  rotateWebhookSecret,
  updateWebhook,
  useDeliveryPages,
  useWebhook,
  useWebhookMutation,
  type Webhook,
} from "../../../api/webhooks.ts";
import { sampleInput } from "../../../flow/input-schema-edit.ts";
import { ReadOnlyUnless } from "../../../ui/allowed.tsx";
import { ConfirmButton } from "../../../ui/confirm-button.tsx";
import { CopyButton } from "../../../ui/copy-button.tsx";
import { CopyLine } from "../../../ui/copy-line.tsx";
import { RecordList } from "../../../ui/record-list.tsx";
import { Empty, Failure, Loaded } from "../../../ui/states.tsx";
import { Tabs } from "../../../ui/tabs.tsx";
import { DeliveryList } from "./delivery-list.tsx";
import { DeleteTrigger } from "./delete-trigger.tsx";
import { InputFieldsEditor } from "./input-fields-editor.tsx";
import { LiveNote } from "./live-note.tsx";
import { PanelFrame, type TriggerPanelProps } from "./panel-frame.tsx";
import { TestEvent } from "./test-event.tsx";
import { TestInput } from "./test-input.tsx";
import { NEW_RECORD } from "./trigger-id.ts";
import { WebhookForm } from "./webhook-form.tsx";

interface WebhookPanelProps extends TriggerPanelProps {
  onCreated: (id: string) => void;
}

export function WebhookPanel({ builder, recordId, onCreated }: WebhookPanelProps) {
  const isNew = recordId === NEW_RECORD;
  const webhook = useWebhook(isNew ? "" : recordId);
  /** The secret of the webhook that was just created or rotated: the service returns it once. */
  const [secret, setSecret] = useState<{ id: string; value: string }>();
  const update = useWebhookMutation((active: boolean) => updateWebhook(recordId, { active }));
  return (
    <PanelFrame
      builder={builder}
      kind="webhook"
      title={webhook.data?.name ?? "New webhook"}
      may="updateWebhook"
      active={
        webhook.data && {
          checked: webhook.data.active,
          disabled: update.isPending,
          onChange: (active) => update.mutate(active),
        }
      }
    >
      {update.error !== null && <Failure error={update.error} />}
      {isNew ? (
        <>
          <p className="small muted">
            Another service calls the URL when something happens. Each call starts a run with its payload as
            input.
          </p>
          <WebhookForm
            key={recordId}
            workflow={builder.workflow}
            webhook={undefined}
            path={builder.proposedTrigger?.path}
            customResponse={builder.proposedTrigger?.customResponse}
            onSaved={(saved) => {
              if (saved.secret !== undefined) setSecret({ id: saved.id, value: saved.secret });
              onCreated(saved.id);
            }}
          />
        </>
      ) : (
        <Loaded query={webhook}>
          {(record) => (
            <Existing
              key={record.id}
              builder={builder}
              webhook={record}
              secret={secret?.id === record.id ? secret.value : undefined}
              onSecret={(value) => setSecret({ id: record.id, value })}
            />
          )}
        </Loaded>
      )}
    </PanelFrame>
  );
}

interface ExistingProps {
  builder: TriggerPanelProps["builder"];
  webhook: Webhook;
  secret: string | undefined;
  onSecret: (secret: string) => void;
}

function Existing({ builder, webhook, secret, onSecret }: ExistingProps) {
  const [tab, setTab] = useState<"settings" | "deliveries">("settings");
  const deliveries = useDeliveryPages(webhook.id);
  const rotate = useWebhookMutation(() => rotateWebhookSecret(webhook.id));
  const remove = useWebhookMutation(() => deleteWebhook(webhook.id));
  const last = deliveries.data?.find(({ body }) => body !== null);
  return (
    <Tabs
      label="Webhook"
      value={tab}
      onChange={setTab}
      tabs={[
        { value: "settings", label: "Settings" },
        { value: "deliveries", label: "Deliveries", count: deliveries.data?.length },
      ]}
    >
      {tab === "settings" ? (
        <>
          <LiveNote builder={builder} />
          <div className="side">
            <CopyLine label="Live URL">
              <code className="code breakable">{webhook.url}</code>
              <CopyButton text={webhook.url} />
            </CopyLine>
          </div>
          {secret !== undefined && (
            <NewSecret url={webhook.url} secret={secret} isSigned={webhook.signature !== null} />
          )}
          <ReadOnlyUnless may="updateWebhook">
            <TestInput
              builder={builder}
              label={last === undefined ? "Show sample input" : "Show last delivery"}
              load={() => last?.body ?? sampleInput(builder.history.draft.inputSchema)}
            >
              <TestEvent builder={builder} deliveries={deliveries.data ?? []} refetch={deliveries.refetch} />
            </TestInput>
            <WebhookForm workflow={builder.workflow} webhook={webhook} onSaved={() => undefined} />
            <InputFieldsEditor
              builder={builder}
              learnFrom={last === undefined ? undefined : { label: "last delivery", input: last.body }}
            />
            <div className="row wrap">
              <ConfirmButton
                className="btn"
                question="Rotate the secret?"
                consequence="The current secret stops working immediately. The sender is refused until it uses the new one."
                confirm="Rotate"
                onConfirm={async () => onSecret(await rotate.mutateAsync(undefined))}
              >
                Rotate secret
              </ConfirmButton>
              <DeleteTrigger
                builder={builder}
                label="Delete webhook"
                question={`Delete “${webhook.name}”?`}
                consequence="Its URL stops accepting requests and its deliveries are deleted. Its runs are kept."
                onDelete={() => remove.mutateAsync(undefined)}
              />
            </div>
          </ReadOnlyUnless>
        </>
      ) : (
        <RecordList
          list={deliveries}
          empty={
            <Empty title="No deliveries yet">
              Send a request to the URL. Deliveries are listed here and can be redelivered.
            </Empty>
          }
        >
          {(list) => <DeliveryList webhookId={webhook.id} list={list} />}
        </RecordList>
      )}
    </Tabs>
  );
}

function NewSecret({ url, secret, isSigned }: { url: string; secret: string; isSigned: boolean }) {
  const command = `curl -X POST ${url} \\\n  -H "x-webhook-secret: ${secret}" \\\n  -H "Content-Type: application/json" \\\n  -d '{"hello": "world"}'`;
  return (
    <section className="card pad stack tight" aria-label="New secret">
      <div className="row copy-line">
        <b className="small grow">Secret (header x-webhook-secret)</b>
        <CopyButton text={secret} />
      </div>
      <pre className="code" data-secret>
        {secret}
      </pre>
      <p className="xs muted">
        {isSigned && "For calls without the signature, such as a test with curl. "}
        Copy it now. You will not be able to see it again.
      </p>
      <div className="row copy-line">
        <b className="small grow">Call it with curl</b>
        <CopyButton text={command} />
      </div>
      <pre className="code">{command}</pre>
    </section>
  );
}
