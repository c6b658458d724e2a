import { createDeadline } from "../lib/deadline.ts";
import { AppError } from "../lib/errors.ts";
import { watchStream } from "../lib/watched-stream.ts";

export interface ModelFetchDeps {
  /** Through the egress guard. */
  fetch: typeof globalThis.fetch;
  /** Time limit of one attempt: for the whole response, or between two parts of a stream. */
  timeoutMs: number;
  /** Runs an attempt when it is its turn. The time limit begins then. */
  inTurn?: (attempt: () => Promise<Response>, signal?: AbortSignal) => Promise<Response>;
  /** Resolves after the delay; rejects with the signal's reason. */
  wait?: (ms: number, signal?: AbortSignal | null) => Promise<void>;
  now?: () => number;
}

const MAX_TRIES = 3;
const FIRST_WAIT_MS = 1000;
/** A longer `Retry-After` fails at once: the step's own retry can wait that long, a request cannot. */
const LONGEST_WAIT_MS = 20_000;
const MAX_ANSWER_BYTES = 16 * 1024 * 1024;

/**
 * The `fetch` of the vendor libraries. It retries single requests and not a whole generation, so that a 429 in the fifth
 * response of an agent does not run the tools of the first four again.
 */
export function createModelFetch(deps: ModelFetchDeps): typeof globalThis.fetch {
  const { wait = waitFor, now = Date.now, inTurn = (attempt) => attempt() } = deps;
  return async (input, init) => {
    for (let attempt = 1; ; attempt++) {
      const isLast = attempt === MAX_TRIES;
      try {
        const response = await inTurn(() => fetchOnce(deps, input, init), init?.signal ?? undefined);
        if (isLast || !isRetryableStatus(response.status)) return response;
        const waitMs = retryAfterMs(response.headers, now()) ?? FIRST_WAIT_MS * 2 ** (attempt - 1);
        if (waitMs > LONGEST_WAIT_MS) return response;
        await response.body?.cancel();
        await wait(waitMs, init?.signal);
      } catch (error) {
        if (isLast || init?.signal?.aborted || isFinal(error)) throw error;
        await wait(FIRST_WAIT_MS * 2 ** (attempt - 1), init?.signal);
      }
    }
  };
}

export function isRetryableStatus(status: number): boolean {
  return status === 408 || status === 429 || status >= 500;
}

/** `Retry-After` in seconds or as a date, or the more exact header of some vendors. */
export function retryAfterMs(headers: Pick<Headers, "get">, now: number): number | undefined {
  const exact = Number.parseFloat(headers.get("retry-after-ms") ?? "");
  if (exact >= 0) return exact;
  const given = headers.get("retry-after") ?? "";
  const ms = /^\d+(\.\d+)?$/.test(given) ? Number(given) * 1000 : Date.parse(given) - now;
  return Number.isNaN(ms) ? undefined : Math.max(0, ms);
}

export class ModelTimeout extends Error {}

/** Errors of the egress guard, including redirects, which it does not follow: a retry would fail again. */
function isFinal(error: unknown): boolean {
  if (error instanceof AppError) return true;
  const { cause } = error as { cause?: { message?: string } };
  return cause?.message === "unexpected redirect";
}

async function fetchOnce(
  { fetch, timeoutMs }: ModelFetchDeps,
  input: Parameters<typeof globalThis.fetch>[0],
  init?: RequestInit,
): Promise<Response> {
  const deadline = createDeadline(timeoutMs, { outer: init?.signal, reason: () => new ModelTimeout() });
  try {
    const response = await fetch(input, { ...init, signal: deadline.signal });
    if (!isStream(response)) return await readWhole(response).finally(() => deadline.clear());
    let bytes = 0;
    const watched = watchStream(response.body, {
      onPiece(piece) {
        bytes += piece.length;
        assertAnswerSize(bytes);
        deadline.restart();
      },
      onEnd: () => deadline.clear(),
    });
    return new Response(watched, response);
  } catch (error) {
    deadline.clear();
    throw deadline.aborted ? deadline.reason : error;
  }
}

function isStream(response: Response): response is Response & { body: ReadableStream<Uint8Array> } {
  return response.body !== null && (response.headers.get("content-type") ?? "").includes("event-stream");
}

/** Reads the body here, so that a truncated response counts as a failed attempt and not as invalid JSON. */
async function readWhole(response: Response): Promise<Response> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of response.body ?? []) {
    bytes += piece.length;
    assertAnswerSize(bytes);
    pieces.push(piece);
  }
  const hasBody = response.status !== 204 && response.status !== 304;
  return new Response(hasBody ? Buffer.concat(pieces) : null, response);
}

/** Streamed or not, the answer is collected in memory. */
function assertAnswerSize(bytes: number): void {
  if (bytes > MAX_ANSWER_BYTES)
    throw new AppError(
      "response_too_large",
      "The model's response is larger than 16 MiB. Request a shorter output.",
    );
}

function waitFor(ms: number, signal?: AbortSignal | null): Promise<void> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", onAbort);
      resolve();
    }, ms);
    signal?.addEventListener("abort", onAbort, { once: true });
    if (signal?.aborted) onAbort();
  });
}
