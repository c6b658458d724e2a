import { Link } from "wouter";
import {
  type EventDelivery,
  type EventSubscription,
  resendDelivery,
  testSubscription,
  useEventDeliveries,
  useSubscriptionMutation,
} from "../../api/events.ts";
import { Ago } from "../../ui/ago.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Empty, Failure, Skeleton } from "../../ui/states.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { showToast } from "../../ui/toasts.tsx";
import { eventLabel } from "./event-types.ts";

const TONES = { pending: "wait", delivered: "ok", failed: "bad" } as const;
const LABELS = { pending: "Pending", delivered: "Delivered", failed: "Failed" } as const;

/** What was sent to a subscription, with the responses. */
export function DeliveriesDialog({
  subscription,
  onClose,
}: {
  subscription: EventSubscription;
  onClose: () => void;
}) {
  const deliveries = useEventDeliveries(subscription.id);
  const test = useSubscriptionMutation(
    () => testSubscription(subscription.id),
    () => showToast("Test event sent."),
  );
  const resend = useSubscriptionMutation((id: string) => resendDelivery(subscription.id, id));
  const columns: Column<EventDelivery>[] = [
    {
      title: "Event",
      cell: ({ type, taskId }) => (
        <span className="stack tight">
          <span>{eventLabel(type)}</span>
          {taskId !== null && (
            <Link className="xs" href={`/runs/${taskId}`}>
              Open run
            </Link>
          )}
        </span>
      ),
    },
    {
      title: "Status",
      cell: (delivery) => (
        <span className="stack tight">
          <span className={`chip dot ${TONES[delivery.status]}`}>{LABELS[delivery.status]}</span>
          <span className="xs muted breakable">{detailOf(delivery)}</span>
        </span>
      ),
    },
    { title: "Attempts", wideOnly: true, cell: ({ attempts }) => attempts },
    { title: "Created", wideOnly: true, muted: true, cell: ({ createdAt }) => <Ago at={createdAt} /> },
    {
      title: "Actions",
      hideTitle: true,
      actions: true,
      cell: ({ id, type, status }) => (
        <button
          type="button"
          className="btn tiny"
          aria-label={`Resend ${eventLabel(type)}`}
          disabled={status === "pending" || resend.isPending}
          onClick={() => resend.mutate(id)}
        >
          Resend
        </button>
      ),
    },
  ];
  return (
    <Dialog title="Deliveries" onClose={onClose}>
      <div className="row wrap">
        <code className="grow breakable small">{subscription.url}</code>
        <button
          type="button"
          className="btn"
          disabled={!subscription.active || test.isPending}
          onClick={() => test.mutate(undefined)}
        >
          Send test event
        </button>
      </div>
      {[test.error, resend.error, deliveries.error].map(
        (error, index) => error !== null && <Failure key={index} error={error} />,
      )}
      {deliveries.data === undefined && deliveries.error === null && <Skeleton rows={3} />}
      {deliveries.data?.length === 0 && (
        <Empty title="Nothing sent yet">Send a test event, or run a workflow.</Empty>
      )}
      {deliveries.data !== undefined && deliveries.data.length > 0 && (
        <Table columns={columns} rows={deliveries.data} keyOf={({ id }) => id} />
      )}
    </Dialog>
  );
}

function detailOf({ status, responseStatus, error, responseExcerpt }: EventDelivery): string {
  if (status === "delivered") return `Response ${responseStatus ?? ""}`;
  return [error, responseExcerpt].filter(Boolean).join(" ").slice(0, 200);
}
