import { AppError } from "../lib/errors.ts";
import { watchStream } from "../models/watched-stream.ts";

export interface StreamLimits {
  /** Of all responses in total: an endless stream must not fill the memory. */
  maxBytes: number;
  /** Called when the response to a POST ends early. The MCP library ignores that, and its caller would wait forever. */
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
  return new AppError("response_too_large", `The response is larger than the limit of ${maxBytes} bytes.`);
}
