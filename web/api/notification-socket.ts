import { io, type Socket } from "socket.io-client";
import type { ClientToServer, ServerToClient } from "../../contract/realtime.ts";
import { authToken, chosenWorkspace } from "./auth-token.ts";

/** A flood of failures is not one request each. */
const QUIET_MS = 500;

/** Calls `onChanged` after notifications of the workspace have changed; returns the function that ends it. */
export function openNotificationSocket(onChanged: () => void): () => void {
  const socket: Socket<ServerToClient, ClientToServer> = io({
    auth: { token: authToken.read(), workspace: chosenWorkspace.read() ?? undefined },
  });
  let timer: ReturnType<typeof setTimeout> | undefined;
  const changed = (): void => {
    timer ??= setTimeout(() => {
      timer = undefined;
      onChanged();
    }, QUIET_MS);
  };
  socket.on("NOTIFICATIONS_CHANGED", changed);
  // What happened while the socket was away.
  socket.io.on("reconnect", changed);
  return () => {
    clearTimeout(timer);
    socket.close();
  };
}
