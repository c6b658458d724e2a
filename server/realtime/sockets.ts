import { createServer, type IncomingMessage } from "node:http";
import type { Role } from "../../contract/roles.ts";
import type { TaskStatus } from "../../contract/tasks.ts";
import type { Engine } from "../engine/engine-api.ts";
import { AppError } from "../lib/errors.ts";
import type { Presence } from "../teams/presence.ts";
import type { RoomSignals } from "../teams/room-signals.ts";
import type { Sessions } from "../teams/sessions.ts";
import type { Teams } from "../teams/teams.ts";
import type { Limits } from "../limits/limits.ts";
import { clientNetwork } from "../security/address-classes.ts";
import { notMember } from "../security/roles.ts";
import { refusal } from "./acknowledge.ts";
import { serveClient } from "./client.ts";
import type { ReadDocumentStatus } from "./document-watch.ts";
import { type IoServer, type IoSocket, roomName, type SocketData, workspaceRoom } from "./io.ts";
import { createJoin } from "./join.ts";
import { createSessionPoll } from "./session-poll.ts";
import type { RoomServer } from "./client-rooms.ts";
import { limitPackets, MAX_MESSAGE_BYTES, type PacketLimits } from "./limit-packets.ts";
import { type Connection, connectionOf, dropIfSlow, terminate } from "./slow-clients.ts";
import { createWarRooms, type Viewer } from "./war-room.ts";

export interface SocketsDeps {
  logins: {
    verify(token: string): Promise<{ userId: string }>;
    watch(userId: string, token: string, onEnd: () => void): () => void;
  };
  memberships: {
    roleOf(workspaceId: string, userId: string): Promise<Role | undefined>;
    watch(workspaceId: string, userId: string, role: Role, onEnd: () => void): () => void;
  };
  teams: Pick<Teams, "get">;
  sessions: Sessions;
  presence: Presence;
  signals: RoomSignals;
  engine: Pick<Engine, "watch" | "events">;
  /** Throws `task_not_found` or `forbidden`. */
  taskStatus(userId: string, taskId: string): Promise<TaskStatus>;
  documentStatus: ReadDocumentStatus;
  /** Calls `listener` with a workspace whose notifications have changed; empty for any. */
  onNotifications(listener: (workspaceId: string) => void): void;
  corsOrigins: readonly string[];
  limits: Pick<Limits, "assertMayOpenStream" | "openStream">;
  /** Behind a trusted proxy the address that it forwards. */
  clientAddress(request: IncomingMessage): string;
  onError(error: unknown, activity: string): void;
}

/** A client that connects logs in at once. Until then only its address is known. */
const LOGIN_TIMEOUT_MS = 10_000;
const POLL_MS = 10_000;
const RECHECK_TOKEN_MS = 5 * 60_000;
/** Joins within this time cause one event: a thousand clients that join at once would otherwise cause a million. */
const PRESENCE_DELAY_MS = 100;

/** Called with the first client: Socket.IO takes 15 MB, which a service without clients does not load. */
export async function openSockets(deps: SocketsDeps) {
  const { Server } = await import("socket.io");
  // Bound to a server that never listens: the service's own server checks requests and upgrades, then passes them on.
  const io: IoServer = new Server(createServer(), {
    serveClient: false,
    maxHttpBufferSize: MAX_MESSAGE_BYTES,
    connectTimeout: LOGIN_TIMEOUT_MS,
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
  const presenceChanged = createPresenceEvents((teamId) =>
    io.to(roomName(teamId)).emit("ROOM_PRESENCE", { teamId, present: deps.presence.count(teamId) }),
  );
  const join = createJoin({ rooms, sessions: deps.sessions, teams: deps.teams });

  const sessionPoll = createSessionPoll({ sessions: deps.sessions, onLogEnd: rooms.onLogEnd });
  function pollRooms(): void {
    for (const teamId of rooms.teams()) sessionPoll.poll(teamId).catch(report);
  }
  let pollTimer: NodeJS.Timeout | undefined;
  function startPolling(): void {
    pollTimer ??= setTimeout(() => {
      pollTimer = undefined;
      pollRooms();
      if (rooms.teams().length > 0) startPolling();
    }, POLL_MS).unref();
  }

  deps.signals.subscribe((signal) => {
    if (signal.kind === "grown") rooms.onGrown(signal);
    else if (signal.kind === "status") {
      const { kind: _kind, ...event } = signal;
      io.to(roomName(signal.teamId)).emit("SWARM_STATUS", event);
    } else if (signal.kind === "text") {
      const { kind: _kind, ...event } = signal;
      io.to(roomName(signal.teamId)).emit("SWARM_TEXT", event);
    } else if (signal.kind === "missed") {
      rooms.readOn();
      pollRooms();
    } else if (signal.kind === "present") {
      if (deps.presence.countHere(signal.teamId) > 0) presenceChanged(signal.teamId);
    } else if (deps.presence.countHere(signal.teamId) > 0) {
      deps.sessions.onJoined(signal.teamId).catch(report);
    }
  });

  deps.onNotifications((workspaceId) => {
    const clients = workspaceId === "" ? io : io.to(workspaceRoom(workspaceId));
    clients.emit("NOTIFICATIONS_CHANGED", {});
  });

  /** Read when a connection opens: a request of long polling has no address after its TCP connection has closed. */
  const addresses = new WeakMap<Connection, string>();
  const addressOf = (socket: IoSocket): string | undefined => addresses.get(connectionOf(socket));

  const packetLimits = new WeakMap<Connection, PacketLimits>();
  /** Ends the count of a connection without a login. */
  const endStranger = new WeakMap<Connection, () => void>();
  io.engine.on("connection", (connection: Connection) => {
    packetLimits.set(connection, limitPackets(connection));
    try {
      const address = clientNetwork(deps.clientAddress(connection.request));
      addresses.set(connection, address);
      const end = deps.limits.openStream(`sockets of ${address}`, undefined);
      endStranger.set(connection, end);
      connection.once("close", end);
    } catch {
      terminate(connection);
    }
  });

  io.use((socket, next) => {
    authenticate(socket.handshake.auth, deps)
      .then((data) => {
        deps.limits.assertMayOpenStream(data.workspaceId, addressOf(socket));
        Object.assign(socket.data, data);
        next();
      })
      .catch((error: unknown) => {
        const refused = refusal(error, report);
        next(Object.assign(new Error(refused.error), { data: refused }));
      });
  });

  const roomServer: RoomServer = {
    rooms,
    join,
    sessionPoll,
    sockets,
    sessions: deps.sessions,
    presence: deps.presence,
    presenceChanged,
    startPolling,
  };
  /** Counted here and not in the check above, which may be followed by no connection. Undefined: one too many. */
  function countSocket(socket: IoSocket): (() => void) | undefined {
    try {
      return deps.limits.openStream(socket.data.workspaceId, addressOf(socket));
    } catch {
      socket.disconnect(true);
      return undefined;
    }
  }

  io.on("connection", (socket) => {
    const endStream = countSocket(socket);
    if (endStream === undefined) return;
    const connection = connectionOf(socket);
    const packets = packetLimits.get(connection)!;
    packets.onLogin();
    endStranger.get(connection)?.();
    void socket.join(workspaceRoom(socket.data.workspaceId));
    serveClient(socket, { ...deps, roomServer, packets, onError: report });
    // A connection does not outlive its token.
    const recheck = setInterval(() => {
      authenticate(socket.handshake.auth, deps).catch(() => socket.disconnect(true));
    }, RECHECK_TOKEN_MS).unref();
    const token: unknown = socket.handshake.auth["token"];
    const { userId, workspaceId, role } = socket.data;
    const end = (): void => void socket.disconnect(true);
    const unwatchLogin = deps.logins.watch(userId, String(token), end);
    const unwatchRole = deps.memberships.watch(workspaceId, userId, role, end);
    socket.on("disconnect", () => {
      clearInterval(recheck);
      unwatchLogin();
      unwatchRole();
      endStream();
      // A client may leave and keep the connection, which nothing counts from here on.
      terminate(connection);
    });
  });

  return io;
}

/** `auth.workspace` is the id of a workspace; by default the personal one. */
async function authenticate(
  { token, workspace }: Record<string, unknown>,
  { logins, memberships }: SocketsDeps,
): Promise<SocketData> {
  if (typeof token !== "string" || token === "")
    throw new AppError("missing_token", "Send your access token as auth.token.");
  const { userId } = await logins.verify(token);
  const workspaceId = typeof workspace === "string" && workspace !== "" ? workspace : userId;
  const role = await memberships.roleOf(workspaceId, userId);
  if (role === undefined) throw notMember();
  return { userId, workspaceId, role };
}

function createPresenceEvents(emit: (teamId: string) => void): (teamId: string) => void {
  const changed = new Set<string>();
  return (teamId) => {
    if (changed.size === 0) {
      setTimeout(() => {
        for (const id of changed) emit(id);
        changed.clear();
      }, PRESENCE_DELAY_MS).unref();
    }
    changed.add(teamId);
  };
}
