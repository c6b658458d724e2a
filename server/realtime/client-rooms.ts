import type { Acknowledge, JoinedRoom, JoinWarRoom } from "../../contract/realtime.ts";
import type { LogEntry } from "../../contract/teams.ts";
import type { Presence } from "../teams/presence.ts";
import type { Sessions } from "../teams/sessions.ts";
import { type IoSocket, roomName } from "./io.ts";
import type { Join } from "./join.ts";
import type { SessionPoll } from "./session-poll.ts";
import type { Viewer, WarRooms } from "./war-room.ts";

/** What all clients of this process share. */
export interface RoomServer {
  rooms: WarRooms;
  join: Join;
  look: Pick<SessionPoll, "follow" | "forget">;
  sessions: Pick<Sessions, "joined">;
  presence: Pick<Presence, "count">;
  /** The socket behind each viewer. */
  sockets: Map<Viewer, IoSocket>;
  /** Somebody has come or gone. */
  presenceChanged(teamId: string): void;
  /** From here on somebody is in a room: what nobody has told us of is looked for. */
  beginLooking(): void;
}

/** The war rooms that one client is in. */
export function createClientRooms(socket: IoSocket, roomServer: RoomServer) {
  const { rooms, join, look, sockets, presence, presenceChanged } = roomServer;
  const { userId } = socket.data;
  const seats = new Map<string, Viewer>();

  function send(message: LogEntry): void {
    const { sessionId, teamId } = message;
    socket.emit("NEW_SWARM_MESSAGE", { sessionId, teamId, message });
  }

  function leave(viewer: Viewer): void {
    seats.delete(viewer.teamId);
    sockets.delete(viewer);
    rooms.leave(viewer);
    if (rooms.viewersOf(viewer.teamId).size === 0) look.forget(viewer.teamId);
    void socket.leave(roomName(viewer.teamId));
    presenceChanged(viewer.teamId);
  }

  return {
    async enter(request: JoinWarRoom, acknowledge: Acknowledge<JoinedRoom>): Promise<void> {
      const { teamId, sessions, replay, reached, oldUpTo } = await join.plan(userId, request);
      if (socket.disconnected) return;
      const drop = (): void => void socket.disconnect(true);
      const seat = seats.get(teamId) ?? { teamId, toldUpTo: reached, oldUpTo, missed: undefined, send, drop };
      // From here on live messages are held back for it, so that none comes before those it missed.
      seat.missed = new Map();
      if (!seats.has(teamId)) {
        seats.set(teamId, seat);
        sockets.set(seat, socket);
        rooms.enter(seat);
        roomServer.beginLooking();
        void socket.join(roomName(teamId));
      }
      look.follow(teamId, replay.keys());
      const messages = await join.replay(seat, replay);
      const present = presence.count(teamId);
      acknowledge({ ok: true, room: roomName(teamId), teamId, sessions, messages, present });
      // Half caught up it would hear nothing more and not know: it has to come back.
      await rooms.catchUp(seat).catch((error: unknown) => {
        drop();
        throw error;
      });
      presenceChanged(teamId);
      if (seats.has(teamId)) await roomServer.sessions.joined(teamId);
    },

    /** Without a team: all of them. */
    leave(teamId?: string): void {
      for (const seat of seats.values()) if (teamId === undefined || seat.teamId === teamId) leave(seat);
    },
  };
}
