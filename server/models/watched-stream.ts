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
    try {
      for await (const piece of body) {
        onPiece(piece);
        yield piece;
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
