import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type {
  NotificationSettings,
  NotificationSettingsResponse,
  ReadNotifications,
} from "../../contract/notifications.ts";
import { request } from "./client.ts";
import { useApiMutation } from "./mutation.ts";
import { usePages } from "./pages.ts";

export type { MailFrequency, Notification, NotificationKind } from "../../contract/notifications.ts";
export type { NotificationSettings };

const NOUN = "notifications";
const PATH = "/api/notifications";

export function useNotifications(onlyUnread: boolean) {
  return usePages(
    { noun: NOUN, path: PATH, filter: { unread: onlyUnread ? "true" : undefined } },
    { alwaysFresh: true },
  );
}

export function useMarkRead() {
  return useApiMutation([NOUN], (body: ReadNotifications) => request("unread", `${PATH}/read`, { body }));
}

const SETTINGS = "notification-settings";

export function useNotificationSettings() {
  return useQuery({
    queryKey: [SETTINGS],
    queryFn: () => request("notificationSettings", "/api/notification-settings"),
  });
}

/** Shows the new settings at once, and the stored ones again after an error. Changes are saved one after the other. */
export function useSetNotificationSettings() {
  const client = useQueryClient();
  return useMutation({
    scope: { id: SETTINGS },
    mutationFn: (settings: NotificationSettings) =>
      request("notificationSettings", "/api/notification-settings", { method: "PUT", body: settings }),
    onMutate: async (settings) => {
      await client.cancelQueries({ queryKey: [SETTINGS] });
      client.setQueryData<NotificationSettingsResponse>(
        [SETTINGS],
        (known) => known && { ...known, settings },
      );
    },
    onSettled: () => {
      if (client.isMutating() > 1) return;
      for (const noun of [SETTINGS, NOUN]) void client.invalidateQueries({ queryKey: [noun] });
    },
  });
}
