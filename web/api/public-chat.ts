import type {
  ConversationMessage,
  PublicChat,
  PublicChatEvent,
  SendChatMessage,
} from "../../contract/public-chat.ts";
import { authHeaders } from "./auth-token.ts";
import { readEvents } from "./read-events.ts";

export type { PublicChat, ConversationMessage };

/** What a visitor is shown in place of a chat or an answer. */
export interface ChatProblem {
  message: string;
  needsLogin?: boolean;
  /** The same request may succeed later. */
  canRetry?: boolean;
}

const UNREACHABLE = "The service cannot be reached. Check your connection and try again.";

/** Errors of the API in the words of a person who writes in a chat. */
const MESSAGES: Readonly<Record<string, string>> = {
  chat_not_found: "This chat does not exist or is closed.",
  workflow_paused: "This chat is paused. Try again later.",
  rate_limited: "You have sent many messages. Try again in a minute.",
  limit_reached: "This conversation is full. Start a new one.",
  missing_token: "Sign in to use this chat.",
  invalid_token: "Sign in to use this chat.",
};

async function problemOf(response: Response): Promise<ChatProblem> {
  const { error = "" } = (await response.json().catch(() => ({}))) as { error?: string };
  const message = MESSAGES[error] ?? "Something went wrong. Try again.";
  if (response.status === 401) return { message, needsLogin: true };
  return response.status === 404 ? { message } : { message, canRetry: true };
}

async function get<T>(path: string): Promise<T | ChatProblem> {
  try {
    const response = await fetch(path, { headers: authHeaders() });
    return response.ok ? ((await response.json()) as T) : await problemOf(response);
  } catch {
    return { message: UNREACHABLE, canRetry: true };
  }
}

const pathOf = (slug: string) => `/api/chats/${encodeURIComponent(slug)}`;

export const readChat = (slug: string) => get<{ chat: PublicChat }>(pathOf(slug));

export const readConversation = (slug: string, conversationId: string) =>
  get<{ messages: ConversationMessage[] }>(`${pathOf(slug)}/conversations/${conversationId}`);

/** The events of the answer; a refused or broken request ends with `failed`. */
export async function* sendMessage(
  slug: string,
  message: SendChatMessage,
): AsyncGenerator<PublicChatEvent | (ChatProblem & { event: "failed" })> {
  try {
    const response = await fetch(`${pathOf(slug)}/messages`, {
      method: "POST",
      headers: { "content-type": "application/json", ...authHeaders() },
      body: JSON.stringify(message),
    });
    if (!response.ok || response.body === null) {
      yield { event: "failed", ...(await problemOf(response)) };
      return;
    }
    let isOver = false;
    for await (const { data } of readEvents(response.body)) {
      const event = JSON.parse(data) as PublicChatEvent;
      isOver = event.event === "finished" || event.event === "failed";
      yield event;
    }
    if (!isOver) yield { event: "failed", message: UNREACHABLE };
  } catch {
    yield { event: "failed", message: UNREACHABLE };
  }
}
