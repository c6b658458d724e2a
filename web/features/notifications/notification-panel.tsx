import { Settings } from "lucide-react";
import { Link } from "wouter";
import { useMarkRead, useNotifications } from "../../api/notifications.ts";
import { Failure, Loaded } from "../../ui/states.tsx";
import { NotificationList, NothingNew } from "./notification-list.tsx";
import "./notifications.css";

/** The latest; the screen has all. */
const SHOWN = 20;

interface NotificationPanelProps {
  unread: number;
  onClose: () => void;
}

export function NotificationPanel({ unread, onClose }: NotificationPanelProps) {
  const list = useNotifications(false);
  const markRead = useMarkRead();
  return (
    <div className="stack tight">
      <header className="row notification-head">
        <h2 className="grow">Notifications</h2>
        <button
          type="button"
          className="btn tiny"
          disabled={unread === 0 || markRead.isPending}
          onClick={() => markRead.mutate({ all: true })}
        >
          Mark all as read
        </button>
        <Link
          href="/settings/notifications"
          className="btn ghost icon tiny"
          aria-label="Notification settings"
          title="Notification settings"
          onClick={onClose}
        >
          <Settings size={15} aria-hidden />
        </Link>
      </header>
      {markRead.error !== null && <Failure error={markRead.error} />}
      <Loaded query={list} rows={3}>
        {(items) =>
          items.length === 0 ? (
            <NothingNew />
          ) : (
            <>
              <NotificationList items={items.slice(0, SHOWN)} onOpen={onClose} />
              <Link href="/notifications" className="btn ghost notification-all" onClick={onClose}>
                Show all notifications
              </Link>
            </>
          )
        }
      </Loaded>
    </div>
  );
}
