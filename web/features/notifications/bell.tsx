import { Bell as BellIcon } from "lucide-react";
import { Suspense, useRef, useState } from "react";
import { useNotificationUpdates, useUnreadCount } from "../../api/unread-notifications.ts";
import { lazyComponent } from "../../ui/lazy-component.ts";
import { Skeleton } from "../../ui/states.tsx";

const NotificationPanel = lazyComponent(() => import("./notification-panel.tsx"), "NotificationPanel");

const MAX_SHOWN = 99;

/** In the rail: the number of unread notifications, and the panel that lists them. A native popover, as the other menus. */
export function Bell() {
  const popover = useRef<HTMLDivElement>(null);
  const [isOpen, setOpen] = useState(false);
  const unread = useUnreadCount();
  useNotificationUpdates();
  return (
    <>
      <button type="button" className="rail-link" title="Notifications" popoverTarget="notifications">
        <BellIcon size={16} aria-hidden />
        <span className="label">Notifications</span>
        {unread > 0 && <b aria-hidden>{unread > MAX_SHOWN ? `${MAX_SHOWN}+` : unread}</b>}
      </button>
      <span className="visually-hidden" role="status" aria-live="polite">
        {unread > 0 && `${unread} unread ${unread === 1 ? "notification" : "notifications"}`}
      </span>
      <div
        id="notifications"
        popover="auto"
        ref={popover}
        className="profile notification-panel"
        role="dialog"
        aria-label="Notifications"
        onToggle={(event) => setOpen(event.newState === "open")}
      >
        {isOpen && (
          <Suspense fallback={<Skeleton rows={3} />}>
            <NotificationPanel unread={unread} onClose={() => popover.current?.hidePopover()} />
          </Suspense>
        )}
      </div>
    </>
  );
}
