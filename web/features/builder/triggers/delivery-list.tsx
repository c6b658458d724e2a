import { Link } from "wouter";
import { type Delivery, redeliver, useWebhookMutation } from "../../../api/webhooks.ts";
import { Ago } from "../../../ui/ago.tsx";
import { Allowed } from "../../../ui/allowed.tsx";
import { JsonView } from "../../../ui/json-view.tsx";
import { Failure } from "../../../ui/states.tsx";
import { StatusChip } from "../../../ui/status.tsx";
import { showToast } from "../../../ui/toasts.tsx";

const REASONS: Readonly<Record<string, string>> = {
  missing_secret: "No secret",
  invalid_secret: "Wrong secret",
  missing_signature: "No signature",
  invalid_signature: "Wrong signature",
  expired_signature: "Signature too old",
  webhook_paused: "Webhook paused",
  workflow_paused: "Workflow paused",
  workflow_not_found: "Workflow deleted",
  payload_too_large: "Body too large",
  unsupported_media_type: "Wrong content type",
  invalid_json: "Not valid JSON",
  invalid_request: "Input not valid",
  idempotency_conflict: "Idempotency key reused",
  rate_limited: "Too many calls",
  limit_reached: "Limit reached",
  duplicate: "Duplicate",
  challenge: "URL check",
};

/** What to do about a refused call of which only the reason is known. */
const ADVICE: Readonly<Record<string, string>> = {
  webhook_paused: "Turn the webhook on to accept calls.",
  payload_too_large: "Send a smaller body.",
  rate_limited: "Send fewer calls per minute, or raise the limit of the service.",
};
const CHECK_SENDER = "Check the secret or the signature settings of the sender.";

/** A call that was not proven to be the owner's: only its time and reason are stored. */
const isUnseen = ({ status, body, headers }: Delivery): boolean =>
  status === "rejected" && body === null && Object.keys(headers).length === 0;

/** Whether it can be delivered again: a body that could not be read was not stored. */
const isKept = ({ status, body }: Delivery): boolean => status === "accepted" || body !== null;

export function DeliveryList({ webhookId, list }: { webhookId: string; list: Delivery[] }) {
  const redelivery = useWebhookMutation(
    (id: string) => redeliver(webhookId, id),
    () => showToast("Redelivered."),
  );
  return (
    <div className="stack tight">
      {redelivery.error !== null && <Failure error={redelivery.error} />}
      {list.map((delivery) => (
        <details key={delivery.id} className="card fold">
          <summary>
            <StatusChip status={delivery.status} />
            <span className="small muted">
              <Ago at={delivery.createdAt} />
            </span>
            <code className="small muted grow ellipsis">
              {isUnseen(delivery) ? "" : previewOf(delivery.body)}
            </code>
            {delivery.reason !== null && (
              <span className="small">{REASONS[delivery.reason] ?? delivery.reason}</span>
            )}
            {delivery.redeliveryOf !== null && <span className="chip">redelivered</span>}
          </summary>
          <div className="stack tight">
            {isUnseen(delivery) ? (
              <p className="small muted">
                The call was refused. Its headers and body are not stored.{" "}
                {ADVICE[delivery.reason ?? ""] ?? CHECK_SENDER} Refused calls are listed at most once a
                minute.
              </p>
            ) : (
              <>
                <JsonView value={delivery.body} />
                <details>
                  <summary className="small">Headers</summary>
                  <JsonView value={delivery.headers} />
                </details>
              </>
            )}
            <div className="row">
              {delivery.taskId !== null && (
                <Link className="btn tiny" href={`/runs/${delivery.taskId}`}>
                  Open run
                </Link>
              )}
              {isKept(delivery) && (
                <Allowed to="redeliver">
                  <button
                    type="button"
                    className="btn tiny"
                    disabled={redelivery.isPending}
                    onClick={() => redelivery.mutate(delivery.id)}
                  >
                    Redeliver
                  </button>
                </Allowed>
              )}
            </div>
          </div>
        </details>
      ))}
    </div>
  );
}

const PREVIEW_LENGTH = 200;

/** The start of the payload, to tell deliveries apart without opening them. */
function previewOf(body: unknown): string {
  const text = JSON.stringify(body) ?? "";
  return text.length > PREVIEW_LENGTH ? `${text.slice(0, PREVIEW_LENGTH)}…` : text;
}
