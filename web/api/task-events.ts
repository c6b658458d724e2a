import type { RunEvent } from "../flow/run-progress.ts";
import { authHeaders, refused } from "./client.ts";

const RETRY_MS = 1000;

interface Following {
  taskId: string;
  signal: AbortSignal;
  onEvent: (event: RunEvent) => void;
  /** True when the connection is there, false while it is being made again. */
  onConnected: (connected: boolean) => void;
}

/**
 * Reads a task's events until the task has ended. EventSource cannot carry a login header, and a token has no
 * place in an address, so the stream is read by fetch; after a break it goes on behind the last event seen.
 */
export async function followTask({ taskId, signal, onEvent, onConnected }: Following): Promise<void> {
  let lastId = "0";
  while (!signal.aborted) {
    try {
      const response = await fetch(`/api/tasks/${taskId}/events`, {
        headers: { ...authHeaders(), "last-event-id": lastId },
        signal,
      });
      if (!response.ok || response.body === null) {
        if (response.status < 500) return await refused(response);
        throw new Error("the stream was refused");
      }
      onConnected(true);
      let ended = false;
      for await (const { id, data } of readEvents(response.body)) {
        if (id !== undefined) lastId = id;
        const event = parse(data);
        if (event === undefined) continue;
        // An old end may have been followed up by a rerun: only the last entry counts.
        if (event.seq !== undefined) ended = event.kind === "status";
        onEvent(event);
      }
      if (ended) return;
      throw new Error("the stream broke off before the task had ended");
    } catch {
      if (signal.aborted) return;
      onConnected(false);
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
  }
}

async function* readEvents(
  body: ReadableStream<Uint8Array>,
): AsyncGenerator<{ id: string | undefined; data: string }> {
  const decoder = new TextDecoder();
  const reader = body.getReader();
  let text = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    text += decoder.decode(value, { stream: true });
    const blocks = text.split("\n\n");
    text = blocks.pop() ?? "";
    for (const block of blocks) {
      const lines = block.split("\n");
      const field = (name: string) =>
        lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2);
      const data = field("data");
      if (data !== undefined) yield { id: field("id"), data };
    }
  }
}

function parse(data: string): RunEvent | undefined {
  try {
    return JSON.parse(data) as RunEvent;
  } catch {
    return undefined;
  }
}
