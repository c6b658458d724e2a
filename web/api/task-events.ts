import { SERVER_TIME_HEADER } from "../../contract/server-time.ts";
import type { RunEvent } from "../flow/run-progress.ts";
import { authHeaders } from "./auth-token.ts";
import { checkErrorResponse, typed } from "./client.ts";
import { readEvents } from "./read-events.ts";

const RETRY_MS = 1000;

interface FollowOptions {
  taskId: string;
  signal: AbortSignal;
  onEvent: (event: RunEvent) => void;
  /** False while the stream reconnects. */
  onConnected: (connected: boolean) => void;
  /** The time of the service minus the time of this browser. */
  onClock: (offsetMs: number) => void;
  /** Starts after this event. */
  afterSeq: number;
}

/**
 * Reads the events of a task until the task has ended. EventSource cannot send an authorization header and a token must
 * not appear in a URL, so the stream is read with fetch; a reconnect resumes after the last event received.
 */
export async function followTask({
  taskId,
  signal,
  onEvent,
  onConnected,
  onClock,
  afterSeq,
}: FollowOptions): Promise<void> {
  const path = `/api/tasks/${taskId}/events`;
  let lastId = String(afterSeq);
  while (!signal.aborted) {
    try {
      const response = await fetch(path, {
        headers: { ...authHeaders(), "last-event-id": lastId },
        signal,
      });
      if (!response.ok || response.body === null) {
        if (response.status < 500) return await checkErrorResponse(response);
        throw new Error("the event stream failed");
      }
      onConnected(true);
      const serverTime = Number(response.headers.get(SERVER_TIME_HEADER));
      if (serverTime > 0) onClock(serverTime - Date.now());
      let ended = false;
      for await (const { id, name, data } of readEvents(response.body)) {
        if (id !== undefined) lastId = id;
        const event = await typed("taskEvent", path, { event: name, ...parse(data) });
        // A rerun may follow an earlier end, so only the last journal entry decides.
        if (event.event !== "step_started" && event.event !== "step_log") ended = event.event === "task";
        onEvent(event);
      }
      if (ended) return;
      throw new Error("the event stream closed before the task ended");
    } catch {
      if (signal.aborted) return;
      onConnected(false);
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
  }
}

function parse(data: string): object {
  return JSON.parse(data) as object;
}
