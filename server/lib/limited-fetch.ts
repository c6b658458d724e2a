import { AppError } from "./errors.ts";
import { watchStream } from "./watched-stream.ts";

/** Counts the bytes of all responses together: an endless stream must not fill the memory. The limit may rise in between. */
export function limitBytes(
  fetch: typeof globalThis.fetch,
  maxBytes: () => number,
  onExceeded: (error: AppError) => void,
): typeof globalThis.fetch {
  let bytes = 0;
  return async (input, init) => {
    const response = await fetch(input, init);
    if (response.body === null) return response;
    const watched = watchStream(response.body, {
      onPiece(piece) {
        bytes += piece.length;
        if (bytes <= maxBytes()) return;
        const error = tooLarge(maxBytes());
        // The MCP library resumes a stream that breaks, so the call is ended here.
        onExceeded(error);
        throw error;
      },
      onEnd: () => undefined,
    });
    return new Response(watched, response);
  };
}

export function tooLarge(maxBytes: number): AppError {
  return new AppError("response_too_large", `The response is larger than the limit of ${maxBytes} bytes.`);
}
