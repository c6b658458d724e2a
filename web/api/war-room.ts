import { useEffect, useRef, useState } from "react";
import { io, type Socket } from "socket.io-client";
import type { ClientToServer, ServerToClient, SwarmStatus } from "../../contract/realtime.ts";
import type { LogEntry } from "../../contract/teams.ts";
import { login, noteRefusal } from "./client.ts";

export interface Room {
  connected: boolean;
  refused: string | undefined;
  messages: readonly LogEntry[];
  /** The newest word of the run about itself and about each agent. */
  status: SwarmStatus | undefined;
  agents: ReadonlyMap<string, string>;
  say: (text: string, to?: string) => Promise<void>;
}

/** Entries by number, each once, whatever order and however often they arrive. */
export function mergeEntries(known: readonly LogEntry[], more: readonly LogEntry[]): readonly LogEntry[] {
  const bySeq = new Map(known.map((entry) => [entry.seq, entry]));
  for (const entry of more) bySeq.set(entry.seq, entry);
  return bySeq.size === known.length ? known : [...bySeq.values()].toSorted((a, b) => a.seq - b.seq);
}

/** Sits in the war room of one session. After a break it joins again behind the last entry it has seen. */
export function useWarRoom(sessionId: string): Room {
  const [connected, setConnected] = useState(false);
  const [refused, setRefused] = useState<string>();
  const [messages, setMessages] = useState<readonly LogEntry[]>([]);
  const [status, setStatus] = useState<SwarmStatus>();
  const [agents, setAgents] = useState<ReadonlyMap<string, string>>(new Map());
  const socket = useRef<Socket<ServerToClient, ClientToServer>>(undefined);

  useEffect(() => {
    let last = 0;
    const take = (more: readonly LogEntry[]): void => {
      const own = more.filter((entry) => entry.sessionId === sessionId);
      for (const { seq } of own) last = Math.max(last, seq);
      setMessages((known) => mergeEntries(known, own));
    };
    const line: Socket<ServerToClient, ClientToServer> = io({ auth: { token: login.token() } });
    socket.current = line;
    line.on("connect", () => {
      setConnected(true);
      line.emit("join_war_room", { sessionId, after: last }, (answer) => {
        if (answer.ok) take(answer.messages);
        else setRefused(answer.message);
      });
    });
    line.on("connect_error", (error) => noteRefusal(error.message));
    line.on("disconnect", () => setConnected(false));
    line.on("NEW_SWARM_MESSAGE", ({ message }) => {
      take([message]);
      // Who has spoken is no longer thinking.
      if (message.sessionId === sessionId && message.type !== "tool_call")
        setAgents((known) => new Map([...known].filter(([agentId]) => agentId !== message.from.id)));
    });
    line.on("SWARM_STATUS", (event) => {
      if (event.sessionId !== sessionId) return;
      setStatus(event);
      const { agentId } = event;
      if (agentId !== undefined)
        setAgents((known) =>
          new Map(known).set(
            agentId,
            event.detail === "turn_started" ? "thinking …" : (event.detail ?? event.status),
          ),
        );
    });
    return () => {
      line.close();
    };
  }, [sessionId]);

  function say(text: string, to?: string): Promise<void> {
    return new Promise((resolve, reject) => {
      const line = socket.current;
      if (line?.connected !== true)
        return reject(new Error("The room is not connected right now. Your words stay in the box."));
      line.emit("send_message", { sessionId, content: text, ...(to === undefined ? {} : { to }) }, (answer) =>
        answer.ok ? resolve() : reject(new Error(answer.message)),
      );
    });
  }
  return { connected, refused, messages, status, agents, say };
}
