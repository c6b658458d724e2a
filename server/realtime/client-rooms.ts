import type { Acknowledge, JoinedRoom, JoinWarRoom } from "../../contract/realtime.ts";
import type { LogEntry } from "../../contract/teams.ts";
import type { Presence } from "../teams/presence.ts";
import type { Sessions } from "../teams/sessions.ts";
import { type IoSocket, roomName } from "./io.ts";
import type { Join } from "./join.ts";
import type { SessionPoll } from "./session-poll.ts";
import { drained } from "./slow-clients.ts";
import type { Viewer, WarRooms } from "./war-room.ts";

/** Shared by all clients of this process. */
export interface RoomServer {
  rooms: WarRooms;
  join: Join;
  sessionPoll: Pick<SessionPoll, "track" | "forgetTeam">;
  sessions: Pick<Sessions, "onJoined">;
  presence: Pick<Presence, "count">;
  /** The socket of each viewer. */
  sockets: Map<Viewer, IoSocket>;
  /** The number of clients in this team's room has changed. */
  presenceChanged(teamId: string): void;
  /** Starts polling for lost hints; it stops by itself when all rooms are empty. */
  startPolling(): void;
}

/** The war rooms that one client is in. */
export function createClientRooms(socket: IoSocket, server: RoomServer) {
  const { rooms, join, sessionPoll, sockets, presence, presenceChanged } = server;
  const { workspaceId } = socket.data;
  const viewers = new Map<string, Viewer>();

  function send(message: LogEntry): Promise<void> | undefined {
    const { sessionId, teamId } = message;
    socket.emit("NEW_SWARM_MESSAGE", { sessionId, teamId, message });
    return drained(socket);
  }

  function leave(viewer: Viewer): void {
    viewers.delete(viewer.teamId);
    sockets.delete(viewer);
    rooms.leave(viewer);
    if (rooms.viewersOf(viewer.teamId).size === 0) sessionPoll.forgetTeam(viewer.teamId);
    void socket.leave(roomName(viewer.teamId));
    presenceChanged(viewer.teamId);
  }

  return {
    async enter(request: JoinWarRoom, acknowledge: Acknowledge<JoinedRoom>): Promise<void> {
      const { teamId, sessions, replay, positions, oldUpTo } = await join.plan(workspaceId, request);
      if (socket.disconnected) return;
      const viewer = viewers.get(teamId) ?? {
        teamId,
        positions,
        oldUpTo,
        held: undefined,
        catchingUp: new Map(),
        send,
        drop: () => void socket.disconnect(true),
      };
      rooms.hold(viewer);
      if (!viewers.has(teamId)) {
        viewers.set(teamId, viewer);
        sockets.set(viewer, socket);
        rooms.enter(viewer);
        server.startPolling();
        void socket.join(roomName(teamId));
      }
      sessionPoll.track(teamId, replay.keys());
      const messages = await join.replay(viewer, replay).catch((error: unknown) => {
        // A viewer whose live entries stay held back would receive nothing more and not notice.
        leave(viewer);
        throw error;
      });
      const present = presence.count(teamId);
      acknowledge({ ok: true, room: roomName(teamId), teamId, sessions, messages, present });
      await rooms.catchUp(viewer);
      presenceChanged(teamId);
      if (viewers.has(teamId)) await server.sessions.onJoined(teamId);
    },

    /** Leaves one team's room, or all of them. */
    leave(teamId?: string): void {
      for (const viewer of viewers.values())
        if (teamId === undefined || viewer.teamId === teamId) leave(viewer);
    },
  };
}
