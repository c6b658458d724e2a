import { AppError } from "../lib/errors.ts";
import { watchStream } from "../models/watched-stream.ts";

export interface StreamLimits {
  /** Of all answers together: a stream without end must not fill the memory. */
  maxBytes: number;
  /** Hears of a POST whose answer breaks off. The MCP library tells nobody, and its caller waits for ever. */
  onBroken(error: unknown): void;
}

export function limitStreams(
  fetch: typeof globalThis.fetch,
  { maxBytes, onBroken }: StreamLimits,
): typeof globalThis.fetch {
  let bytesLeft = maxBytes;
  return async (input, init) => {
    const response = await fetch(input, init);
    if (response.body === null) return response;
    const watched = watchStream(response.body, {
      onPiece(piece) {
        bytesLeft -= piece.length;
        if (bytesLeft < 0) throw tooLarge(maxBytes);
      },
      onEnd(failure) {
        if (failure !== undefined && init?.method === "POST") onBroken(failure.error);
      },
    });
    return new Response(watched, response);
  };
}

function tooLarge(maxBytes: number): AppError {
  return new AppError("response_too_large", `The answer is larger than ${maxBytes} bytes.`);
}
