import { createServer } from "node:http";
import type { DefaultEventsMap, Server, Socket } from "socket.io";
import {
  type Acknowledge,
  type ClientToServer,
  type JoinedRoom,
  type JoinWarRoom,
  joinWarRoomSchema,
  leaveWarRoomSchema,
  sendMessageSchema,
  type ServerToClient,
  watchDocumentSchema,
  watchTaskSchema,
} from "../../contract/realtime.ts";
import type { Engine } from "../engine/engine-api.ts";
import { AppError } from "../lib/errors.ts";
import type { Presence } from "../teams/presence.ts";
import type { RoomSignals } from "../teams/room-signals.ts";
import type { Sessions } from "../teams/sessions.ts";
import type { Teams } from "../teams/teams.ts";
import { createEventHandler, createSequence, refusal } from "./acknowledge.ts";
import { createDocumentWatch, type DocumentStanding } from "./document-watch.ts";
import { createJoin, SHOWN_SESSIONS } from "./join.ts";
import { dropIfSlow } from "./slow-clients.ts";
import { createTaskWatch } from "./task-watch.ts";
import { createWarRooms, type Viewer } from "./war-room.ts";

export interface SocketsDeps {
  verifyToken(token: string): Promise<string>;
  teams: Pick<Teams, "get">;
  sessions: Sessions;
  presence: Presence;
  signals: RoomSignals;
  engine: Pick<Engine, "watch">;
  /** Throws `task_not_found` or `forbidden`. */
  taskStatus(userId: string, taskId: string): Promise<string>;
  documentStanding: DocumentStanding;
  corsOrigins: readonly string[];
  onError(error: unknown, what: string): void;
}

export type IoServer = Server<ClientToServer, ServerToClient, DefaultEventsMap, { userId: string }>;
export type IoSocket = Socket<ClientToServer, ServerToClient, DefaultEventsMap, { userId: string }>;

const MAX_MESSAGE_BYTES = 1_200_000;
const MAX_CONTENT_CHARACTERS = 1_048_576;
const PRESENCE_NEWS_MS = 100;
const LOOK_MS = 10_000;
const RECHECK_TOKEN_MS = 5 * 60_000;

export function roomName(teamId: string): string {
  return `war_room_${teamId}`;
}

/** Loaded with the first client: a service that nobody watches does not carry Socket.IO's 15 MB. */
export async function openSockets(deps: SocketsDeps) {
  const { Server } = await import("socket.io");
  // Bound to a server that never listens: requests and upgrades come by way of our own, which checks them first.
  const io: IoServer = new Server(createServer(), {
    serveClient: false,
    maxHttpBufferSize: MAX_MESSAGE_BYTES,
    cors: { origin: [...deps.corsOrigins] },
  });
  const report = (error: unknown): void => deps.onError(error, "serving a socket");
  const sockets = new Map<Viewer, IoSocket>();

  const rooms = createWarRooms({
    log: deps.sessions.log,
    presence: deps.presence,
    broadcast(teamId, message, except) {
      const skipped = except.flatMap((viewer) => sockets.get(viewer)?.id ?? []);
      io.to(roomName(teamId))
        .except(skipped)
        .emit("NEW_SWARM_MESSAGE", { sessionId: message.sessionId, teamId, message });
      for (const viewer of rooms.viewersOf(teamId)) dropIfSlow(sockets.get(viewer));
    },
    onError: deps.onError,
  });
  const presence = createPresenceNews((teamId) =>
    io.to(roomName(teamId)).emit("ROOM_PRESENCE", { teamId, present: deps.presence.count(teamId) }),
  );
  const join = createJoin({ rooms, sessions: deps.sessions, teams: deps.teams, presence: deps.presence });

  /** What was said while nobody could tell us. */
  async function lookAt(teamId: string): Promise<void> {
    const { items } = await deps.sessions.listOfTeam(teamId, { limit: SHOWN_SESSIONS });
    for (const { id, status, lastSeq } of items) if (status !== "waiting") rooms.reaches(teamId, id, lastSeq);
  }

  /** A process that dies right after a write has told nobody of it. */
  const looking = createPulse(LOOK_MS, () => {
    for (const teamId of rooms.teams()) lookAt(teamId).catch(report);
    return rooms.teams().length > 0;
  });

  deps.signals.subscribe((signal) => {
    if (signal.kind === "grown") rooms.grown(signal);
    else if (signal.kind === "status") {
      const { kind: _kind, ...event } = signal;
      io.to(roomName(signal.teamId)).emit("SWARM_STATUS", event);
    } else if (signal.kind === "missed") {
      rooms.readOn();
      for (const teamId of rooms.teams()) lookAt(teamId).catch(report);
    } else if (signal.kind === "present") {
      if (deps.presence.countHere(signal.teamId) > 0) presence(signal.teamId);
    } else if (deps.presence.countHere(signal.teamId) > 0) {
      deps.sessions.joined(signal.teamId).catch(report);
    }
  });

  io.use((socket, next) => {
    const token: unknown = socket.handshake.auth["token"];
    authenticate(token, deps).then(
      (userId) => {
        socket.data.userId = userId;
        next();
      },
      (error: unknown) => {
        const refused = refusal(error, report);
        next(Object.assign(new Error(refused.error), { data: refused }));
      },
    );
  });

  io.on("connection", (socket) => {
    const { userId } = socket.data;
    const seats = new Map<string, Viewer>();
    const watch = createTaskWatch(deps, userId, (event) => {
      socket.emit("TASK_STATUS", event);
      dropIfSlow(socket);
    });
    const documents = createDocumentWatch(deps.documentStanding, userId, (event) =>
      socket.emit("DOCUMENT_STATUS", event),
    );
    const handler = createEventHandler(report);
    const inTurn = createSequence();

    function leave(viewer: Viewer): void {
      seats.delete(viewer.teamId);
      sockets.delete(viewer);
      rooms.leave(viewer);
      void socket.leave(roomName(viewer.teamId));
      presence(viewer.teamId);
    }

    async function enter(request: JoinWarRoom, acknowledge: Acknowledge<JoinedRoom>): Promise<void> {
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
        looking.begin();
        void socket.join(roomName(teamId));
      }
      const messages = await join.replay(seat, replay);
      const present = deps.presence.count(teamId);
      acknowledge({ ok: true, room: roomName(teamId), teamId, sessions, messages, present });
      // Half caught up it would hear nothing more and not know: it has to come back.
      await rooms.catchUp(seat).catch((error: unknown) => {
        drop();
        throw error;
      });
      presence(teamId);
      if (seats.has(teamId)) await deps.sessions.joined(teamId);
    }

    socket.on(
      "join_war_room",
      handler(joinWarRoomSchema, (request, acknowledge: Acknowledge<JoinedRoom>) =>
        inTurn(() => enter(request, acknowledge)),
      ),
    );

    function send(message: Parameters<Viewer["send"]>[0]): void {
      socket.emit("NEW_SWARM_MESSAGE", { sessionId: message.sessionId, teamId: message.teamId, message });
    }

    socket.on(
      "leave_war_room",
      handler(leaveWarRoomSchema, (request, acknowledge) =>
        inTurn(async () => {
          const { sessionId } = request ?? {};
          const teamId =
            sessionId === undefined ? request?.teamId : (await deps.sessions.get(userId, sessionId)).teamId;
          for (const seat of seats.values()) if (teamId === undefined || seat.teamId === teamId) leave(seat);
          acknowledge({ ok: true });
        }),
      ),
    );

    socket.on(
      "send_message",
      handler(sendMessageSchema, async ({ sessionId, to, content }, acknowledge) => {
        if (JSON.stringify(content).length > MAX_CONTENT_CHARACTERS)
          throw new AppError("payload_too_large", "A message has 1 MiB at most.");
        acknowledge({ ok: true, ...(await deps.sessions.sayAs(userId, sessionId, { to, content })) });
      }),
    );

    socket.on(
      "watch_task",
      handler(watchTaskSchema, async ({ taskId }, acknowledge) =>
        acknowledge({ ok: true, taskId, status: await watch.begin(taskId) }),
      ),
    );
    socket.on(
      "unwatch_task",
      handler(watchTaskSchema, ({ taskId }, acknowledge) => {
        watch.end(taskId);
        acknowledge({ ok: true });
        return Promise.resolve();
      }),
    );

    socket.on(
      "watch_document",
      handler(watchDocumentSchema, async ({ documentId }, acknowledge) =>
        acknowledge({ ok: true, ...(await documents.begin(documentId)) }),
      ),
    );
    socket.on(
      "unwatch_document",
      handler(watchDocumentSchema, ({ documentId }, acknowledge) => {
        documents.end(documentId);
        acknowledge({ ok: true });
        return Promise.resolve();
      }),
    );

    // A token that has expired since closes what it opened.
    const recheck = setInterval(() => {
      authenticate(socket.handshake.auth["token"], deps).catch(() => socket.disconnect(true));
    }, RECHECK_TOKEN_MS).unref();

    socket.on("disconnect", () => {
      clearInterval(recheck);
      for (const seat of seats.values()) leave(seat);
      watch.endAll();
      documents.endAll();
    });
  });

  return io;
}

/** Told once for all who come and go within a moment: a thousand who join would else be a million events. */
function createPresenceNews(tell: (teamId: string) => void): (teamId: string) => void {
  const changed = new Set<string>();
  return (teamId) => {
    if (changed.size === 0) {
      setTimeout(() => {
        for (const id of changed) tell(id);
        changed.clear();
      }, PRESENCE_NEWS_MS).unref();
    }
    changed.add(teamId);
  };
}

/** Beats from `begin` on, until it is told that there is no more need. */
function createPulse(everyMs: number, beat: () => boolean): { begin(): void } {
  let timer: NodeJS.Timeout | undefined;
  function next(): void {
    timer = beat() ? setTimeout(next, everyMs).unref() : undefined;
  }
  return { begin: () => void (timer ??= setTimeout(next, everyMs).unref()) };
}

async function authenticate(token: unknown, { verifyToken }: SocketsDeps): Promise<string> {
  if (typeof token !== "string" || token === "")
    throw new AppError("missing_token", "Send your access token as auth.token.");
  return verifyToken(token);
}
