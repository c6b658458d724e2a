import type { EndedSpan } from "../tracing.ts";
import type { Send } from "./send.ts";

export interface SpanQueueOptions {
  toMessage(spans: readonly EndedSpan[]): object;
  send: Send;
  maxSpans: number;
  maxBatch: number;
  /** The longest time that a span waits for its batch. */
  delayMs: number;
  /** Spans that were sent, or given up and why. */
  onSpans(outcome: "sent" | "queue_full" | "failed", count: number): void;
  onProblem(reason: string): void;
}

export interface SpanQueue {
  add(span: EndedSpan): void;
  /** Sends what is left, for at most `timeoutMs`. */
  close(timeoutMs: number): Promise<void>;
}

const MAX_ATTEMPTS = 4;
const FIRST_RETRY_MS = 1000;
const LONGEST_RETRY_MS = 30_000;

/**
 * Ended spans until they are sent, one batch at a time. A collector that is slow or gone fills the queue and costs spans,
 * never time of a run or memory.
 */
export function createSpanQueue(options: SpanQueueOptions): SpanQueue {
  const { toMessage, send, maxSpans, maxBatch, delayMs, onSpans, onProblem } = options;
  const stopping = new AbortController();
  let waiting: EndedSpan[] = [];
  let timer: NodeJS.Timeout | undefined;
  let sending: Promise<void> | undefined;
  let isClosing = false;
  let wake: () => void = () => undefined;

  function schedule(): void {
    if (sending !== undefined || waiting.length === 0) return;
    if (waiting.length >= maxBatch || isClosing) return flush();
    timer ??= setTimeout(flush, delayMs).unref();
  }

  function flush(): void {
    clearTimeout(timer);
    timer = undefined;
    const batch = waiting.slice(0, maxBatch);
    waiting = waiting.slice(maxBatch);
    sending = deliver(batch).finally(() => {
      sending = undefined;
      schedule();
    });
  }

  async function deliver(batch: readonly EndedSpan[]): Promise<void> {
    const message = toMessage(batch);
    for (let attempt = 1; ; attempt += 1) {
      const sent = await send(message, stopping.signal);
      if (sent.ok) return onSpans("sent", batch.length);
      if (!sent.retry || attempt === MAX_ATTEMPTS || isClosing) {
        onSpans("failed", batch.length);
        return onProblem(sent.reason);
      }
      await pause(Math.min(LONGEST_RETRY_MS, sent.retryAfterMs ?? FIRST_RETRY_MS * 2 ** (attempt - 1)));
    }
  }

  function pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const retry = setTimeout(resolve, ms).unref();
      wake = () => {
        clearTimeout(retry);
        resolve();
      };
    });
  }

  return {
    add(span) {
      if (waiting.length >= maxSpans || isClosing) return onSpans("queue_full", 1);
      waiting.push(span);
      schedule();
    },
    async close(timeoutMs) {
      isClosing = true;
      wake();
      const limit = setTimeout(() => stopping.abort(), timeoutMs);
      schedule();
      while (sending !== undefined && !stopping.signal.aborted) await sending;
      clearTimeout(limit);
      if (waiting.length > 0) onSpans("failed", waiting.length);
      waiting = [];
    },
  };
}
