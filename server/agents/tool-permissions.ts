import { AppError } from "../lib/errors.ts";

/** One tool call of one chat. Tool calls of different owners never share a key. */
export interface ToolCallKey {
  ownerId: string;
  chatId: string;
  callId: string;
}

export interface ToolPermissionsDeps {
  /** Reaches the processes on the same database; undefined when this is the only one. */
  publish: ((message: string) => void) | undefined;
}

export type ToolPermissions = ReturnType<typeof createToolPermissions>;

const keyOf = ({ ownerId, chatId, callId }: ToolCallKey): string => `${ownerId} ${chatId} ${callId}`;

/** Tool calls that wait for a person. The stream of the chat is open meanwhile, so they live in memory. */
export function createToolPermissions({ publish }: ToolPermissionsDeps) {
  const waiting = new Map<string, (allow: boolean) => void>();

  function resolve(key: string, allow: boolean): boolean {
    const decide = waiting.get(key);
    waiting.delete(key);
    decide?.(allow);
    return decide !== undefined;
  }

  return {
    /** Resolves with the decision; rejects when the signal is aborted, because the client has left. */
    async ask(call: ToolCallKey, signal: AbortSignal): Promise<boolean> {
      const key = keyOf(call);
      signal.throwIfAborted();
      return new Promise<boolean>((decide, reject) => {
        waiting.set(key, decide);
        signal.addEventListener(
          "abort",
          () => {
            waiting.delete(key);
            reject(new AppError("aborted", "The chat was closed."));
          },
          { once: true },
        );
      });
    },
    /** False when no such call waits here, and no other process could have it. */
    decide(call: ToolCallKey, allow: boolean): boolean {
      if (resolve(keyOf(call), allow)) return true;
      publish?.(JSON.stringify([keyOf(call), allow]));
      return publish !== undefined;
    },
    onPeerMessage(message: string): void {
      if (message === "") return;
      const [key, allow] = JSON.parse(message) as [string, boolean];
      resolve(key, allow);
    },
  };
}
