import { randomUUID } from "node:crypto";
import { isRecord } from "../../contract/placeholders/json-value.ts";
import type { StepCall } from "../engine/run/step-runner.ts";

export interface AnsweringStep {
  workflowId: string;
  /** The message that it answers. */
  messageId: string;
  path: string;
}

export type LiveAnswers = ReturnType<typeof createLiveAnswers>;

/**
 * Passes the text of an answer, while it is written, to a request of the same process that waits for it. Nothing depends
 * on it: the whole answer is in the task, and a task that another process runs passes none.
 */
export function createLiveAnswers() {
  const readers = new Map<string, (text: string) => void>();
  return {
    /** The key goes into the input of the run. It cannot be guessed, so no other run can write to this reader. */
    open(onText: (text: string) => void): { key: string; close(): void } {
      const key = randomUUID();
      readers.set(key, onText);
      return { key, close: () => void readers.delete(key) };
    },
    /** For a step of a workflow that answers a message of a chat. The service makes the id, and no client learns it. */
    openStep(step: AnsweringStep, onText: (text: string) => void): () => void {
      const key = keyOf(step);
      readers.set(key, onText);
      return () => void (readers.get(key) === onText && readers.delete(key));
    },
    readerOfStep({ workflowId, path, scope }: Pick<StepCall, "workflowId" | "path" | "scope">) {
      if (readers.size === 0 || scope.trigger?.kind !== "chat" || !isRecord(scope.input)) return undefined;
      const { messageId } = scope.input as Record<string, unknown>;
      if (typeof messageId !== "string") return undefined;
      return readers.get(keyOf({ workflowId, path, messageId }));
    },
    readerOf: (key: string | undefined) => (key === undefined ? undefined : readers.get(key)),
  };
}

function keyOf({ workflowId, messageId, path }: AnsweringStep): string {
  return `${workflowId} ${messageId} ${path}`;
}
