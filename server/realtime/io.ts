import type { DefaultEventsMap, Server, Socket } from "socket.io";
import type { ClientToServer, ServerToClient } from "../../contract/realtime.ts";

export type IoServer = Server<ClientToServer, ServerToClient, DefaultEventsMap, { userId: string }>;
export type IoSocket = Socket<ClientToServer, ServerToClient, DefaultEventsMap, { userId: string }>;

export function roomName(teamId: string): string {
  return `war_room_${teamId}`;
}
