import type { AgentChat, AgentChatEvent } from "../../contract/agent-chat.ts";
import { openStream, request, typed } from "./client.ts";
import { readEvents } from "./read-events.ts";

export type { AgentChat, AgentChatEvent };

/** Sends a message and reads the answer as it is written. Returns when the stream ends. */
export async function streamChat(
  agentId: string,
  body: AgentChat,
  { signal, onEvent }: { signal: AbortSignal; onEvent: (event: AgentChatEvent) => void },
): Promise<void> {
  const path = `/api/agents/${agentId}/chat`;
  for await (const { name, data } of readEvents(await openStream(path, body, signal)))
    onEvent(await typed("agentChatEvent", path, { event: name, ...(JSON.parse(data) as object) }));
}

export async function decideToolCall(
  agentId: string,
  { chatId, callId, allow }: { chatId: string; callId: string; allow: boolean },
): Promise<void> {
  const path = `/api/agents/${agentId}/chats/${chatId}/tool-calls/${encodeURIComponent(callId)}`;
  await request("ok", path, { body: { allow } });
}
