import { io, type Socket } from "socket.io-client";
import type { LogEntry } from "../../contract/teams.ts";
import { type ChatRequest, startStubModelServer } from "../support/stub-model-server.ts";

const NAMES = ["Ann", "Ben", "Cid"];
/** The messages of every session. */
export const WANTED_LOG = ["Go", ...NAMES.map((name) => `${name} has spoken`)];
const ANSWER_TIMEOUT_MS = 8000;
/** Sessions that a reconnecting client names: more than can start while it is disconnected. */
const NAMED_SESSIONS = 100;

type Json = Record<string, any>;

export interface RoomClient {
  teamId: string;
  /** Received entries by session. */
  received: ReadonlyMap<string, readonly LogEntry[]>;
  /** When it joined, and the sessions that it asked for. */
  visits: readonly { at: number; named: ReadonlySet<string> }[];
}

export interface Rooms {
  /** Acknowledged sessions, with their team. */
  begun: ReadonlyMap<string, string>;
  clients: readonly RoomClient[];
  /** Entries received out of order. */
  faults: string[];
  /** Starts no new sessions; resolves when pending starts have ended. */
  stop(): Promise<void>;
  close(): void;
}

export interface RoomsOptions {
  currentAddress(): string | undefined;
  login: Record<string, string>;
  teams: number;
}

/** A model for agents that each say one sentence. */
export async function startSpeakers() {
  const stub = await startStubModelServer();
  stub.answerWith(
    ({ messages }: ChatRequest) =>
      `${/You are (\w+)/.exec(String(messages[0]?.content))?.[1] ?? "nobody"} has spoken`,
  );
  return stub;
}

/** Teams that run one session after the other, each with two clients that reconnect when disconnected. */
export async function openRooms({ currentAddress, login, teams }: RoomsOptions): Promise<Rooms> {
  const begun = new Map<string, string>();
  const faults: string[] = [];
  let stopped = false;
  let closed = false;

  /** Repeats the request until it succeeds. */
  async function call(path: string, body: unknown): Promise<Json> {
    for (;;) {
      const answer = await fetch(`${currentAddress()}${path}`, {
        method: "POST",
        headers: { "content-type": "application/json", ...login },
        body: JSON.stringify(body),
        signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS),
      })
        .then(async (response) => (response.ok ? ((await response.json()) as Json) : undefined))
        .catch(() => undefined);
      if (answer !== undefined) return answer;
      await pause(50);
    }
  }

  async function makeTeam(): Promise<string> {
    const agents: string[] = [];
    for (const name of NAMES) agents.push((await call("/api/agents", { name }))["agent"].id as string);
    const made = await call("/api/agent-teams", { name: "Crew", agents, topology: "linear" });
    return made["team"].id as string;
  }

  async function beginSessions(teamId: string): Promise<void> {
    while (!stopped) {
      const { sessionId } = await call(`/api/agent-teams/${teamId}/run`, { objective: WANTED_LOG[0] });
      begun.set(sessionId as string, teamId);
      await pause(300);
    }
  }

  function watch(teamId: string, name: string): RoomClient {
    const received = new Map<string, LogEntry[]>();
    const visits: { at: number; named: ReadonlySet<string> }[] = [];
    function take(entry: LogEntry): void {
      const log = received.get(entry.sessionId) ?? [];
      received.set(entry.sessionId, log);
      if (entry.seq === log.length + 1) log.push(entry);
      else faults.push(`${name} received entry ${entry.seq} of ${entry.sessionId} after ${log.length}`);
    }
    /** In the room until the connection ends. */
    async function visit(address: string): Promise<void> {
      const { token } = /Bearer (?<token>.+)/.exec(login["authorization"]!)!.groups!;
      const socket: Socket = io(address, {
        auth: { token },
        transports: ["websocket"],
        forceNew: true,
        reconnection: false,
        timeout: ANSWER_TIMEOUT_MS,
      });
      const over = new Promise<void>((resolve) => {
        socket.once("disconnect", () => resolve());
        socket.once("connect_error", () => resolve());
      });
      socket.on("NEW_SWARM_MESSAGE", ({ message }: { message: LogEntry }) => take(message));
      socket.once("connect", () => {
        const ofTeam = [...begun].flatMap(([id, team]) => (team === teamId ? [id] : []));
        const known = [...new Set([...received.keys(), ...ofTeam])].toSorted().slice(-NAMED_SESSIONS);
        const after = Object.fromEntries(known.map((id) => [id, received.get(id)?.length ?? 0]));
        // Not `emitWithAck`: its promise resolves after an event that arrives together with the acknowledgement.
        const onJoined = (error: Error | null, response?: { ok: boolean; messages: LogEntry[] }): void => {
          if (error !== null || response?.ok !== true) return void socket.disconnect();
          visits.push({ at: Date.now(), named: new Set(known) });
          response.messages.forEach(take);
        };
        socket.timeout(ANSWER_TIMEOUT_MS).emit("join_war_room", { teamId, after }, onJoined);
      });
      sockets.add(socket);
      await over;
      socket.disconnect();
      sockets.delete(socket);
    }
    void (async () => {
      while (!closed) {
        const address = currentAddress();
        if (address !== undefined) await visit(address);
        await pause(50);
      }
    })();
    return { teamId, received, visits };
  }

  const sockets = new Set<Socket>();
  const ids: string[] = [];
  for (let n = 0; n < teams; n += 1) ids.push(await makeTeam());
  const clients = ids.flatMap((id) => [watch(id, `a client of ${id}`), watch(id, `another client of ${id}`)]);
  const loops = ids.map(beginSessions);
  return {
    begun,
    clients,
    faults,
    async stop() {
      stopped = true;
      await Promise.all(loops);
    },
    close() {
      closed = true;
      for (const socket of sockets) socket.disconnect();
    },
  };
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
