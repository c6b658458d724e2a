import { Link } from "wouter";
import type { Delivery } from "../../../contract/webhooks.ts";
import { useChange } from "../../api/change.ts";
import { call } from "../../api/client.ts";
import { JsonView } from "../../ui/json-view.tsx";
import { Failure } from "../../ui/states.tsx";
import { StatusChip } from "../../ui/status.tsx";
import { ago } from "../../ui/time.ts";
import { say } from "../../ui/toasts.tsx";

export function DeliveryList({ webhookId, list }: { webhookId: string; list: Delivery[] }) {
  const redeliver = useChange(
    ["deliveries"],
    (id: string) => call(`/api/webhooks/${webhookId}/deliveries/${id}/redeliver`, { method: "POST" }),
    () => say("Sent again."),
  );
  return (
    <div className="stack tight">
      {redeliver.error !== null && <Failure error={redeliver.error} />}
      {list.map((delivery) => (
        <details key={delivery.id} className="card fold">
          <summary>
            <StatusChip status={delivery.status} />
            <span className="small muted">{ago(delivery.createdAt)}</span>
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
                disabled={redeliver.isPending}
                onClick={() => redeliver.mutate(delivery.id)}
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
