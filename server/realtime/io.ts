import type { Role } from "../../contract/roles.ts";
import type { DefaultEventsMap, Server, Socket } from "socket.io";
import type { ClientToServer, ServerToClient } from "../../contract/realtime.ts";

/** The person behind a socket, and the workspace and role in which they connected. */
export interface SocketData {
  userId: string;
  workspaceId: string;
  role: Role;
}

export type IoServer = Server<ClientToServer, ServerToClient, DefaultEventsMap, SocketData>;
export type IoSocket = Socket<ClientToServer, ServerToClient, DefaultEventsMap, SocketData>;

/** All clients that are connected in a workspace. */
export function workspaceRoom(workspaceId: string): string {
  return `workspace_${workspaceId}`;
}

export function roomName(teamId: string): string {
  return `war_room_${teamId}`;
}
