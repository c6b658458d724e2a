import {
  notificationListResponseSchema,
  notificationQuerySchema,
  notificationSettingsResponseSchema,
  notificationSettingsSchema,
  readNotificationsSchema,
  unreadResponseSchema,
} from "../../contract/notifications.ts";
import type { HttpServer } from "../http/server.ts";
import type { Notifications } from "./notifications.ts";

const tags = ["notifications"];
/** Notifications belong to a person, so API keys have none. */
const access = { role: "viewer", scope: null } as const;

export function notificationRoutes(app: HttpServer, notifications: Notifications): void {
  app.get(
    "/api/notifications",
    {
      config: { access },
      schema: {
        tags,
        operationId: "listNotifications",
        summary: "List your notifications, the latest first",
        description:
          "Failed runs of one workflow, step and error are one notification with a count. A notification that has grown since you read it is unread again. A workspace keeps the last 500.",
        querystring: notificationQuerySchema,
        response: { 200: notificationListResponseSchema },
      },
    },
    async ({ workspaceId, userId, query: { unread, ...page } }) => ({
      ok: true as const,
      ...(await notifications.list({ workspaceId, userId }, { ...page, unread: unread === "true" })),
    }),
  );

  app.post(
    "/api/notifications/read",
    {
      config: { access, audit: { none: "marks as read for one person" } },
      schema: {
        tags,
        operationId: "readNotifications",
        summary: "Mark notifications as read",
        description: "The notifications in `ids`, or `all`. Ids that you cannot see are ignored.",
        body: readNotificationsSchema,
        response: { 200: unreadResponseSchema },
      },
    },
    async ({ workspaceId, userId, body }) => ({
      ok: true as const,
      unread: await notifications.markRead({ workspaceId, userId }, body),
    }),
  );

  app.get(
    "/api/notification-settings",
    {
      config: { access },
      schema: {
        tags,
        operationId: "getNotificationSettings",
        summary: "Read your notification settings",
        description:
          "What you receive in this workspace, on the page and by mail. Everything is on until you switch it off.",
        response: { 200: notificationSettingsResponseSchema },
      },
    },
    async ({ workspaceId, userId, role }) => ({
      ok: true as const,
      ...(await notifications.getSettings({ workspaceId, userId }, role)),
    }),
  );

  app.put(
    "/api/notification-settings",
    {
      config: { access },
      schema: {
        tags,
        operationId: "setNotificationSettings",
        summary: "Change your notification settings",
        description: "Replaces all of them, for you and this workspace only.",
        body: notificationSettingsSchema,
        response: { 200: notificationSettingsResponseSchema },
      },
    },
    async ({ workspaceId, userId, role, body }) => ({
      ok: true as const,
      ...(await notifications.setSettings({ workspaceId, userId }, role, body)),
    }),
  );
}
