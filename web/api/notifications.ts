import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
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
/** The socket tells of changes; this is for pages whose socket is refused. */
const POLL_MS = 60_000;
/** The first screen is loaded before the socket is. */
const SOCKET_AFTER_MS = 3000;

export function useUnreadCount(): number {
  const query = useQuery({
    queryKey: [NOUN, "unread"],
    queryFn: async () => (await request(NOUN, `${PATH}?limit=1`)).unread,
    refetchInterval: POLL_MS,
  });
  return query.data ?? 0;
}

export function useNotifications(onlyUnread: boolean) {
  return usePages(
    { noun: NOUN, path: PATH, filter: { unread: onlyUnread ? "true" : undefined } },
    { alwaysFresh: true },
  );
}

export function useMarkRead() {
  return useApiMutation([NOUN], (body: ReadNotifications) => request("unread", `${PATH}/read`, { body }));
}

/** Reads notifications again when the service tells that they have changed. */
export function useNotificationUpdates(): void {
  const client = useQueryClient();
  useEffect(() => {
    let isEnded = false;
    let close = (): void => undefined;
    const reload = (): void => void client.invalidateQueries({ queryKey: [NOUN] });
    const timer = setTimeout(() => {
      import("./notification-socket.ts").then(
        ({ openNotificationSocket }) => {
          if (!isEnded) close = openNotificationSocket(reload);
        },
        // The page works without it: it polls.
        () => undefined,
      );
    }, SOCKET_AFTER_MS);
    return () => {
      isEnded = true;
      clearTimeout(timer);
      close();
    };
  }, [client]);
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
