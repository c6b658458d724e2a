import { Link } from "wouter";
import { type Delivery, redeliver, useWebhookMutation } from "../../api/webhooks.ts";
import { Ago } from "../../ui/ago.tsx";
import { JsonView } from "../../ui/json-view.tsx";
import { Failure } from "../../ui/states.tsx";
import { StatusChip } from "../../ui/status.tsx";
import { say } from "../../ui/toasts.tsx";

export function DeliveryList({ webhookId, list }: { webhookId: string; list: Delivery[] }) {
  const redelivery = useWebhookMutation(
    (id: string) => redeliver(webhookId, id),
    () => say("Sent again."),
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
            <code className="small muted grow ellipsis">{previewOf(delivery.body)}</code>
            {delivery.reason !== null && <span className="small">{delivery.reason}</span>}
            {delivery.redeliveryOf !== null && <span className="chip">sent again</span>}
          </summary>
          <div className="stack tight">
            <JsonView value={delivery.body} />
            <details>
              <summary className="small">Headers</summary>
              <JsonView value={delivery.headers} />
            </details>
            <div className="row">
              {delivery.taskId !== null && (
                <Link className="btn tiny" href={`/runs/${delivery.taskId}`}>
                  Open the run
                </Link>
              )}
              <button
                type="button"
                className="btn tiny"
                disabled={redelivery.isPending}
                onClick={() => redelivery.mutate(delivery.id)}
              >
                Send again
              </button>
            </div>
          </div>
        </details>
      ))}
    </div>
  );
}

const PREVIEW = 200;

/** The beginning of what came, so that one delivery can be told from the next without opening each. */
function previewOf(body: unknown): string {
  const text = JSON.stringify(body) ?? "";
  return text.length > PREVIEW ? `${text.slice(0, PREVIEW)}…` : text;
}
