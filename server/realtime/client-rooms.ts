import type { Acknowledge, JoinedRoom, JoinWarRoom } from "../../contract/realtime.ts";
import type { LogEntry } from "../../contract/teams.ts";
import type { Presence } from "../teams/presence.ts";
import type { Sessions } from "../teams/sessions.ts";
import { type IoSocket, roomName } from "./io.ts";
import type { Join } from "./join.ts";
import type { SessionPoll } from "./session-poll.ts";
import { sendInTurn } from "./slow-clients.ts";
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

/** Of a client whose positions are not read yet: of every session, only entries from now on are new to it. */
const AFTER_EVERY_ID = "\uffff";

/** The war rooms that one client is in. */
export function createClientRooms(socket: IoSocket, server: RoomServer) {
  const { rooms, join, sessionPoll, sockets, presence, presenceChanged } = server;
  const { workspaceId } = socket.data;
  const viewers = new Map<string, Viewer>();

  function send(message: LogEntry): void {
    const { sessionId, teamId } = message;
    socket.emit("NEW_SWARM_MESSAGE", { sessionId, teamId, message });
  }

  function newViewer(teamId: string): Viewer {
    return {
      teamId,
      positions: new Map(),
      oldUpTo: AFTER_EVERY_ID,
      held: undefined,
      catchingUp: new Map(),
      inTurn: (work) => sendInTurn(socket, work),
      send,
      drop: () => void socket.disconnect(true),
    };
  }

  function add(viewer: Viewer): void {
    viewers.set(viewer.teamId, viewer);
    sockets.set(viewer, socket);
    rooms.enter(viewer);
    server.startPolling();
    void socket.join(roomName(viewer.teamId));
  }

  async function read(viewer: Viewer, request: JoinWarRoom, isNew: boolean) {
    const { sessions, replay, positions, oldUpTo } = await join.plan(viewer.teamId, request);
    if (isNew) Object.assign(viewer, { positions, oldUpTo });
    return { sessions, replay, messages: await join.replay(viewer, replay) };
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
      const teamId = await join.authorize(workspaceId, request);
      if (socket.disconnected) return;
      const known = viewers.get(teamId);
      const viewer = known ?? newViewer(teamId);
      rooms.hold(viewer);
      // Before the rows are read: an entry that is written after that is held back, and none is missed in between.
      if (known === undefined) add(viewer);
      const { sessions, replay, messages } = await read(viewer, request, known === undefined).catch(
        (error: unknown) => {
          // A viewer whose live entries stay held back would receive nothing more and not notice.
          leave(viewer);
          throw error;
        },
      );
      if (socket.disconnected) return;
      sessionPoll.track(teamId, replay.keys());
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
