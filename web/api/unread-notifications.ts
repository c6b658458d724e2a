import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { request } from "./client.ts";

const NOUN = "notifications";
/** The socket reports changes; this is for pages whose socket is refused. */
const POLL_MS = 60_000;
/** The first screen is loaded before the socket is. */
const SOCKET_AFTER_MS = 3000;

export function useUnreadCount(): number {
  const query = useQuery({
    queryKey: [NOUN, "unread"],
    queryFn: async () => (await request(NOUN, "/api/notifications?limit=1")).unread,
    refetchInterval: POLL_MS,
  });
  return query.data ?? 0;
}

/** Reads notifications again when the service reports that they have changed. */
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
