import type { AgentChat, AgentChatEvent } from "../../contract/agent-chat.ts";

export interface ToolCall {
  kind: "tool";
  id: string;
  name: string;
  title: string;
  input: unknown;
  output: unknown;
  status: "asks" | "running" | "completed" | "failed" | "denied";
  calledAt: number;
  startedAt: number | null;
  endedAt: number | null;
}

export interface ChatText {
  kind: "text";
  text: string;
}

interface Spent {
  usage: { totalTokens: number };
  cost?: { amount: number; currency: string } | undefined;
}

/** One message of the user and the answer to it. Times are milliseconds since the message was received. */
export interface ChatTurn {
  question: string;
  chatId: string | null;
  model: string | null;
  items: readonly (ChatText | ToolCall)[];
  status: "running" | "completed" | "failed" | "stopped";
  error: string | null;
  spent: Spent | null;
  /** What each call of the model used. */
  calls: readonly Spent[];
  ms: number;
}

export function newTurn(question: string): ChatTurn {
  return {
    question,
    chatId: null,
    model: null,
    items: [],
    status: "running",
    error: null,
    spent: null,
    calls: [],
    ms: 0,
  };
}

export function applyChatEvent(turn: ChatTurn, event: AgentChatEvent): ChatTurn {
  const next = { ...turn, ms: event.at };
  switch (event.event) {
    case "started":
      return { ...next, chatId: event.chatId, model: event.model };
    case "text": {
      const last = turn.items.at(-1);
      if (last?.kind !== "text")
        return { ...next, items: [...turn.items, { kind: "text", text: event.text }] };
      return { ...next, items: [...turn.items.slice(0, -1), { ...last, text: last.text + event.text }] };
    }
    case "tool_call": {
      const { id, name, title, input, asksFirst, at } = event;
      const call: ToolCall = {
        kind: "tool",
        id,
        name,
        title,
        input,
        output: null,
        status: asksFirst ? "asks" : "running",
        calledAt: at,
        startedAt: null,
        endedAt: null,
      };
      return { ...next, items: [...turn.items, call] };
    }
    case "tool_started":
      return withCall(next, event.id, { status: "running", startedAt: event.at });
    case "tool_result": {
      const status = event.denied ? "denied" : event.failed ? "failed" : "completed";
      return withCall(next, event.id, { status, output: event.output, endedAt: event.at });
    }
    case "finished": {
      const { usage, cost, calls, model } = event;
      return { ...next, status: "completed", model, spent: { usage, cost }, calls };
    }
    case "failed":
      return endTurn(next, "failed", event.message);
  }
}

/** A turn whose stream has ended without an answer: no tool of it runs any more. */
export function endTurn(turn: ChatTurn, status: "failed" | "stopped", error: string | null): ChatTurn {
  const items = turn.items.map((item) =>
    item.kind === "tool" && item.endedAt === null
      ? { ...item, status: "failed" as const, output: "Stopped", endedAt: turn.ms }
      : item,
  );
  return { ...turn, status, error, items };
}

/** Changes the open call with this id: some models give every call of a conversation the same one. */
function withCall(turn: ChatTurn, id: string, change: Partial<ToolCall>): ChatTurn {
  const at = turn.items.findLastIndex((item) => item.kind === "tool" && item.id === id);
  return {
    ...turn,
    items: turn.items.map((item, index) => (index === at ? ({ ...item, ...change } as ToolCall) : item)),
  };
}

export const toolCallsOf = ({ items }: ChatTurn): ToolCall[] => items.filter((item) => item.kind === "tool");

export function textOf({ items }: ChatTurn): string {
  return items.flatMap((item) => (item.kind === "text" ? [item.text] : [])).join("");
}

/** The conversation as the service takes it. A turn without an answer is left out. */
export function toMessages(turns: readonly ChatTurn[], question: string): AgentChat["messages"] {
  const before = turns
    .filter(({ status }) => status === "completed")
    .flatMap((turn, index): AgentChat["messages"] => {
      const toolCalls = toolCallsOf(turn).map(({ name, input, output, status }, call) => ({
        id: `call_${index}_${call}`,
        name,
        input,
        output,
        failed: status !== "completed",
      }));
      return [
        { role: "user", content: turn.question },
        {
          role: "assistant",
          content: textOf(turn),
          ...(toolCalls.length === 0 ? {} : { toolCalls }),
        },
      ];
    });
  return [...before, { role: "user", content: question }];
}

export interface TraceRow {
  kind: "model" | "tool";
  label: string;
  startMs: number;
  endMs: number;
  status: ToolCall["status"];
  tokens: number | null;
}

/** Model calls and tool calls in order: a call of the model lasts until its first tool call, or to the end. */
export function traceOf(turn: ChatTurn): TraceRow[] {
  const rows: TraceRow[] = [];
  let modelFrom = 0;
  let modelCalls = 0;
  const endModel = (endMs: number, label: string, status: ToolCall["status"]) =>
    rows.push({
      kind: "model",
      label,
      startMs: modelFrom,
      endMs,
      status,
      tokens: turn.calls[modelCalls++]?.usage.totalTokens ?? null,
    });
  let openCalls = 0;
  let lastEnd = 0;
  for (const call of toolCallsOf(turn)) {
    // Calls of one response begin before any of them has ended.
    if (openCalls === 0 || call.calledAt >= lastEnd) {
      if (openCalls > 0) modelFrom = lastEnd;
      endModel(call.calledAt, "Plan", "completed");
    }
    openCalls += 1;
    const endMs = call.endedAt ?? turn.ms;
    lastEnd = Math.max(lastEnd, endMs);
    rows.push({
      kind: "tool",
      label: call.title,
      startMs: call.calledAt,
      endMs,
      status: call.status,
      tokens: null,
    });
  }
  const waits = toolCallsOf(turn).some(({ endedAt }) => endedAt === null);
  if (!waits) {
    modelFrom = lastEnd;
    const status =
      turn.status === "running" ? "running" : turn.status === "completed" ? "completed" : "failed";
    endModel(turn.ms, "Answer", status);
  }
  return rows;
}
