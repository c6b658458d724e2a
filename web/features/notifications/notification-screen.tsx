import { useState } from "react";
import { Link } from "wouter";
import { useMarkRead, useNotifications } from "../../api/notifications.ts";
import { useUnreadCount } from "../../api/unread-notifications.ts";
import { RecordList } from "../../ui/record-list.tsx";
import { Screen } from "../../ui/screen.tsx";
import { Segments } from "../../ui/segments.tsx";
import { Empty, Failure } from "../../ui/states.tsx";
import { NotificationList, NothingNew } from "./notification-list.tsx";

export function Notifications() {
  const [shown, setShown] = useState<"all" | "unread">("all");
  const list = useNotifications(shown === "unread");
  const unread = useUnreadCount();
  const markRead = useMarkRead();
  return (
    <Screen title="Notifications">
      <div className="page stack narrow">
        <div className="row wrap">
          <Segments
            label="Show"
            value={shown}
            onChange={setShown}
            options={[
              { value: "all", label: "All" },
              { value: "unread", label: "Unread" },
            ]}
          />
          <span className="grow" />
          <button
            type="button"
            className="btn"
            disabled={unread === 0 || markRead.isPending}
            onClick={() => markRead.mutate({ all: true })}
          >
            Mark all as read
          </button>
          <Link href="/settings/notifications" className="btn">
            Settings
          </Link>
        </div>
        {markRead.error !== null && <Failure error={markRead.error} />}
        <RecordList
          list={list}
          empty={
            shown === "all" ? (
              <NothingNew />
            ) : (
              <Empty title="Nothing unread">You have read all notifications of this workspace.</Empty>
            )
          }
        >
          {(items) => (
            <div className="card">
              <NotificationList items={items} />
            </div>
          )}
        </RecordList>
      </div>
    </Screen>
  );
}
