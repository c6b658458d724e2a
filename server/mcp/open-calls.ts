import type { Caller } from "./call.ts";
import type { RequestId } from "./protocol.ts";

/** A request that an older client may cancel by its id. */
export interface CallName {
  caller: Pick<Caller, "ownerId" | "callerId">;
  sessionId: string;
  id: RequestId;
}

export interface OpenCallsDeps {
  cancel(ownerId: string, runId: string): Promise<void>;
  /** Tells the other processes; undefined when there are none. */
  publish: ((message: string) => void) | undefined;
  onError(error: unknown): void;
}

/**
 * The requests of this process that wait for a run. The notification that cancels one may reach another process, which
 * passes it on. A request that no process has open has been answered: there is nothing to cancel.
 */
export function createOpenCalls({ cancel, publish, onError }: OpenCallsDeps) {
  const open = new Map<string, { call: CallName; runId: string }>();
  const cancelled = new WeakSet<CallName>();
  const nameOf = ({ caller, sessionId, id }: CallName): string =>
    JSON.stringify([caller.callerId, sessionId, id]);

  function cancelNamed(name: string): boolean {
    const found = open.get(name);
    if (found === undefined) return false;
    cancelled.add(found.call);
    cancel(found.call.caller.ownerId, found.runId).catch(onError);
    return true;
  }

  return {
    track(call: CallName, runId: string): () => void {
      const name = nameOf(call);
      open.set(name, { call, runId });
      return () => void open.delete(name);
    },
    cancel(call: CallName): void {
      const name = nameOf(call);
      if (!cancelNamed(name)) publish?.(name);
    },
    /** The client has cancelled this request and expects no response. */
    isCancelled: (call: CallName): boolean => cancelled.has(call),
    onPeerMessage: (name: string): void => void cancelNamed(name),
  };
}
