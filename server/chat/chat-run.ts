import type { ChatUsage } from "../../contract/chat-completions.ts";
import type { Idempotency } from "../engine/tasks/task.ts";
import type { ExposedRecord } from "../exposure/exposures.ts";
import type { ChatPrompt } from "./chat-request.ts";

export interface ChatStart {
  record: ExposedRecord;
  prompt: ChatPrompt;
  idempotency: Idempotency | undefined;
  /** Receives the text while it is written. */
  onText?: ((text: string) => void) | undefined;
}

/** A run that answers a chat: a task of a workflow or an agent, or a session of a team. */
export interface ChatRun {
  id: string;
  /**
   * Resolves when the run has ended or waits for an approval. Throws `execution_failed`, and `execution_timeout` when the
   * run has not ended after this time. A caller that no longer waits ends nothing: the run continues.
   */
  answer(timeoutMs: number, signal: AbortSignal): Promise<ChatAnswer>;
}

export interface ChatAnswer {
  text: string;
  usage: ChatUsage;
}

export type StartChatRun = (start: ChatStart) => Promise<ChatRun>;
