import { CircleCheck, Gauge, type LucideIcon, PlugZap, TriangleAlert, UserX } from "lucide-react";
import { Link } from "wouter";
import { type Notification, type NotificationKind, useMarkRead } from "../../api/notifications.ts";
import { Ago } from "../../ui/ago.tsx";
import { Empty } from "../../ui/states.tsx";
import "./notifications.css";

const KINDS: Record<NotificationKind, { label: string; icon: LucideIcon; tone: string }> = {
  run_failed: { label: "Run failed", icon: TriangleAlert, tone: "bad" },
  approval_requested: { label: "Approval requested", icon: CircleCheck, tone: "wait" },
  approval_blocked: { label: "Approval without approvers", icon: UserX, tone: "bad" },
  connection_problem: { label: "Connection problem", icon: PlugZap, tone: "bad" },
  limit_reached: { label: "Limit reached", icon: Gauge, tone: "wait" },
};

interface NotificationListProps {
  items: readonly Notification[];
  onOpen?: () => void;
}

/** Each leads to where a person can act, and is read when it is opened. */
export function NotificationList({ items, onOpen }: NotificationListProps) {
  const markRead = useMarkRead();
  return (
    <ul className="notification-list">
      {items.map((notification) => (
        <li key={notification.id}>
          <Link
            href={notification.link}
            className={notification.unread ? "notification unread" : "notification"}
            onClick={() => {
              if (notification.unread) markRead.mutate({ ids: [notification.id] });
              onOpen?.();
            }}
          >
            <NotificationEntry notification={notification} />
          </Link>
        </li>
      ))}
    </ul>
  );
}

function NotificationEntry({ notification }: { notification: Notification }) {
  const { kind, title, message, count, stepTitle, lastAt, unread } = notification;
  const { label, icon: Icon, tone } = KINDS[kind];
  return (
    <>
      <span className={`notification-icon ${tone}`}>
        <Icon size={15} aria-hidden />
      </span>
      <span className="notification-text">
        <span className="row notification-line">
          <span className="ellipsis grow">
            <b>{title}</b>
          </span>
          {count > 1 && <span className="chip">{count.toLocaleString("en")} times</span>}
          {unread && <i className="notification-dot" role="img" aria-label="Unread" />}
        </span>
        <span className="small notification-message">{message}</span>
        <span className="xs muted">
          {label}
          {kind === "run_failed" && stepTitle !== null && ` in ${stepTitle}`} · <Ago at={lastAt} />
        </span>
      </span>
    </>
  );
}

export function NothingNew() {
  return (
    <Empty title="No notifications">
      Failed runs, approvals, connection problems and reached limits appear here.
    </Empty>
  );
}
