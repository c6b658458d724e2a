import {
  NOTIFICATION_KINDS,
  notificationKinds,
  type Notification,
  type NotificationSettings,
  type NotificationSettingsResponse,
  type ReadNotifications,
} from "../../contract/notifications.ts";
import type { PageQuery } from "../../contract/api.ts";
import { includesRole, type Role } from "../../contract/roles.ts";
import type { Clock } from "../lib/clock.ts";
import type { StepTitles } from "../workflows/step-titles.ts";
import type { NotificationStore, Reader } from "./notification.sql.ts";
import type { NotificationSettingsStore } from "./notification-settings.sql.ts";
import { viewNotification } from "./notification-view.ts";

export interface NotificationsDeps {
  store: NotificationStore;
  settings: NotificationSettingsStore;
  withStepTitles: StepTitles;
  clock: Clock;
  hasMail: boolean;
  /** What members of this workspace see has changed. */
  onChanged(workspaceId: string): void;
}

export type Notifications = ReturnType<typeof createNotifications>;

/** The notifications of one person in one workspace. */
export function createNotifications({
  store,
  settings,
  withStepTitles,
  clock,
  hasMail,
  onChanged,
}: NotificationsDeps) {
  async function getSettings(reader: Reader, role: Role): Promise<Omit<NotificationSettingsResponse, "ok">> {
    const isConfirmed = await settings.isAddressConfirmed(reader.userId);
    return {
      settings: await settings.get(reader),
      receives: notificationKinds.filter((kind) => includesRole(role, NOTIFICATION_KINDS[kind])),
      mail: !hasMail ? "not_configured" : isConfirmed ? "ready" : "address_unconfirmed",
    };
  }

  return {
    async list(reader: Reader, query: PageQuery & { unread: boolean }) {
      const { items, nextCursor } = await store.list(reader, query);
      const notifications: Notification[] = (await withStepTitles(items)).map(viewNotification);
      return { notifications, nextCursor, unread: await store.countUnread(reader) };
    },

    async markRead(reader: Reader, { ids }: ReadNotifications): Promise<number> {
      await store.markRead(reader, ids, clock.now());
      onChanged(reader.workspaceId);
      return store.countUnread(reader);
    },

    getSettings,

    async setSettings(reader: Reader, role: Role, given: NotificationSettings) {
      await settings.set(reader, given, clock.now());
      onChanged(reader.workspaceId);
      return getSettings(reader, role);
    },
  };
}
