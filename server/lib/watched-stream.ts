import { setImmediate as nextTurn } from "node:timers/promises";

/**
 * Bytes that are passed on before other work gets a turn. The libraries parse and check everything that they get at once:
 * ten megabytes of small events would block the event loop for ten seconds.
 */
const BYTES_PER_TURN = 4096;

export interface StreamWatch {
  /** An error that it throws ends the stream. */
  onPiece(piece: Uint8Array): void;
  /** Called once: the stream was read to its end, cancelled or has failed. */
  onEnd(failure?: { error: unknown }): void;
}

/** The same stream with callbacks. */
export function watchStream(
  body: ReadableStream<Uint8Array>,
  { onPiece, onEnd }: StreamWatch,
): ReadableStream<Uint8Array> {
  async function* pieces(): AsyncGenerator<Uint8Array> {
    let failure: { error: unknown } | undefined;
    let passed = 0;
    try {
      for await (const piece of body) {
        onPiece(piece);
        for (let at = 0; at < piece.length; at += BYTES_PER_TURN) {
          const part = piece.subarray(at, at + BYTES_PER_TURN);
          yield part;
          passed += part.length;
          if (passed < BYTES_PER_TURN) continue;
          passed = 0;
          await nextTurn();
        }
      }
    } catch (error) {
      failure = { error };
      throw error;
    } finally {
      onEnd(failure);
    }
  }
  return ReadableStream.from(pieces()) as ReadableStream<Uint8Array>;
}
