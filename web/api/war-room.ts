import { useEffect, useRef, useState } from "react";
import { io, type Socket } from "socket.io-client";
import type { ClientToServer, ServerToClient, SwarmStatus, SwarmText } from "../../contract/realtime.ts";
import type { LogEntry } from "../../contract/teams.ts";
import { toolTitle } from "../flow/room-log.ts";
import { authToken, chosenWorkspace } from "./auth-token.ts";
import { typed } from "./client.ts";

type WarRoomSocket = Socket<ServerToClient, ClientToServer>;

export interface WarRoom {
  connected: boolean;
  /** The reason why the service rejected the join. */
  joinError: string | undefined;
  messages: readonly LogEntry[];
  /** The latest status of the session. */
  status: SwarmStatus | undefined;
  /** The current activity of each working agent, by agent id. */
  activity: ReadonlyMap<string, string>;
  /** What agents are writing, by agent id. */
  writing: ReadonlyMap<string, string>;
  sendMessage: (text: string, to?: string) => Promise<void>;
}

/** Merges log entries by number: a replay after a reconnect may repeat entries, and entries may arrive out of order. */
function mergeEntries(known: readonly LogEntry[], more: readonly LogEntry[]): readonly LogEntry[] {
  const bySeq = new Map(known.map((entry) => [entry.seq, entry]));
  for (const entry of more) bySeq.set(entry.seq, entry);
  return bySeq.size === known.length ? known : [...bySeq.values()].toSorted((a, b) => a.seq - b.seq);
}

/** Joins the war room of a session; after a reconnect the replay starts after the last entry received. */
export function useWarRoom(sessionId: string): WarRoom {
  const [connected, setConnected] = useState(false);
  const [joinError, setJoinError] = useState<string>();
  const [messages, setMessages] = useState<readonly LogEntry[]>([]);
  const [status, setStatus] = useState<SwarmStatus>();
  const [activity, setActivity] = useState<ReadonlyMap<string, string>>(new Map());
  const [writing, setWriting] = useState<ReadonlyMap<string, string>>(new Map());
  const current = useRef<WarRoomSocket>(undefined);

  useEffect(() => {
    let lastSeq = 0;
    const receive = (entries: readonly LogEntry[]): void => {
      const own = entries.filter((entry) => entry.sessionId === sessionId);
      for (const { seq } of own) lastSeq = Math.max(lastSeq, seq);
      setMessages((known) => mergeEntries(known, own));
    };
    const socket: WarRoomSocket = io({
      auth: { token: authToken.read(), workspace: chosenWorkspace.read() ?? undefined },
    });
    current.current = socket;
    if (import.meta.env.DEV)
      void import("./check-response.ts").then(({ checkSocketEvent }) => socket.onAny(checkSocketEvent));
    socket.on("connect", () => {
      setConnected(true);
      socket.emit("join_war_room", { sessionId, after: lastSeq }, (response) => {
        void typed("joinedRoom", "join_war_room", response);
        if (response.ok) receive(response.messages);
        else setJoinError(response.message);
      });
    });
    socket.on("connect_error", (error) => authToken.checkErrorCode(error.message));
    socket.on("disconnect", () => setConnected(false));
    socket.on("NEW_SWARM_MESSAGE", ({ message }) => {
      receive([message]);
      // An agent that sent a message has finished its turn.
      if (message.sessionId === sessionId && message.type !== "tool_call") {
        setActivity((known) => without(known, message.from.id));
        setWriting((known) => without(known, message.from.id));
      }
    });
    socket.on("SWARM_STATUS", (event) => {
      if (event.sessionId !== sessionId) return;
      setStatus(event);
      const { agentId } = event;
      if (agentId !== undefined) setActivity((known) => new Map(known).set(agentId, activityOf(event)));
      if (agentId === undefined && event.status !== "active") setWriting(new Map());
    });
    socket.on("SWARM_TEXT", (event) => {
      if (event.sessionId !== sessionId) return;
      setWriting((known) => withPiece(known, event));
      setActivity((known) => new Map(known).set(event.agentId, "writing …"));
    });
    return () => {
      socket.close();
    };
  }, [sessionId]);

  function sendMessage(text: string, to?: string): Promise<void> {
    return new Promise((resolve, reject) => {
      const socket = current.current;
      if (socket?.connected !== true)
        return reject(new Error("The room is not connected. Your message is still in the box; try again."));
      const message = { sessionId, content: text, ...(to === undefined ? {} : { to }) };
      socket.emit("send_message", message, (response) =>
        response.ok ? resolve() : reject(new Error(response.message)),
      );
    });
  }
  return { connected, joinError, messages, status, activity, writing, sendMessage };
}

function activityOf({ detail, status, tool }: SwarmStatus): string {
  if (detail === "tool_started" && tool !== undefined)
    return tool === "ask_documents" ? "searching the documents" : `running ${toolTitle(tool)}`;
  return detail === "turn_started" ? "thinking …" : (detail ?? status);
}

function without<Value>(map: ReadonlyMap<string, Value>, key: string): ReadonlyMap<string, Value> {
  return map.has(key) ? new Map([...map].filter(([each]) => each !== key)) : map;
}

/** A piece after a gap is dropped, and with it the rest: the log entry follows with the whole text. */
function withPiece(
  known: ReadonlyMap<string, string>,
  { agentId, offset, text }: SwarmText,
): ReadonlyMap<string, string> {
  const before = offset === 0 ? "" : known.get(agentId);
  return before?.length === offset ? new Map(known).set(agentId, before + text) : known;
}
