import { useEffect, useRef, useState } from "react";
import type { UpdateAgent } from "../../../contract/agents.ts";
import { decideToolCall, streamChat } from "../../api/agent-chat.ts";
import { messageOf } from "../../api/api-error.ts";
import { tabValues } from "../../api/browser-storage.ts";
import {
  applyChatEvent,
  type ChatTurn,
  endTurn,
  newTurn,
  toMessages,
  type ToolCall,
} from "../../flow/agent-chat.ts";

const KEY = "baton.chat.";

/** The conversation of one agent. It survives a reload of the tab; an answer in progress does not. */
export function useAgentChat(agentId: string) {
  const [turns, setTurns] = useState<readonly ChatTurn[]>(() => load(agentId));
  const running = useRef<AbortController>(undefined);
  useEffect(() => tabValues.save(KEY + agentId, JSON.stringify(turns)), [agentId, turns]);
  useEffect(() => () => running.current?.abort(), []);

  const changeLast = (change: (turn: ChatTurn) => ChatTurn): void =>
    setTurns((all) => all.map((turn, index) => (index === all.length - 1 ? change(turn) : turn)));

  async function ask(before: readonly ChatTurn[], question: string, changes: UpdateAgent): Promise<void> {
    running.current?.abort();
    const stop = new AbortController();
    running.current = stop;
    setTurns([...before, newTurn(question)]);
    const draft = Object.keys(changes).length === 0 ? {} : { draft: changes };
    const isCurrent = (): boolean => running.current === stop;
    try {
      await streamChat(
        agentId,
        { messages: toMessages(before, question), ...draft },
        {
          signal: stop.signal,
          onEvent: (event) => isCurrent() && changeLast((turn) => applyChatEvent(turn, event)),
        },
      );
      if (isCurrent())
        changeLast((turn) =>
          turn.status === "running" ? endTurn(turn, "failed", "The connection was lost.") : turn,
        );
    } catch (error) {
      if (isCurrent())
        changeLast((turn) =>
          stop.signal.aborted ? endTurn(turn, "stopped", null) : endTurn(turn, "failed", messageOf(error)),
        );
    }
  }

  return {
    turns,
    isRunning: turns.at(-1)?.status === "running",
    send: (question: string, changes: UpdateAgent) => void ask(turns, question, changes),
    /** Asks the last question again. */
    retry(changes: UpdateAgent): void {
      const last = turns.at(-1);
      if (last !== undefined) void ask(turns.slice(0, -1), last.question, changes);
    },
    stop: () => running.current?.abort(),
    decide: (turn: ChatTurn, call: ToolCall, allow: boolean) =>
      decideToolCall(agentId, { chatId: turn.chatId ?? "", callId: call.id, allow }),
    /** Takes the last message back to edit it. */
    takeBack(): string | undefined {
      const last = turns.at(-1);
      if (last !== undefined && last.status !== "running") setTurns(turns.slice(0, -1));
      return last?.status === "running" ? undefined : last?.question;
    },
    clear(): void {
      running.current?.abort();
      running.current = undefined;
      setTurns([]);
    },
  };
}

function load(agentId: string): readonly ChatTurn[] {
  const turns = (tabValues.readJson(KEY + agentId) ?? []) as ChatTurn[];
  return turns.map((turn) => (turn.status === "running" ? endTurn(turn, "stopped", null) : turn));
}
