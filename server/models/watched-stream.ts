export interface StreamWatch {
  /** What it throws ends the stream with that error. */
  onPiece(piece: Uint8Array): void;
  /** Once, however it ends: read to the end, given up by the reader, or broken. */
  onEnd(failure?: { error: unknown }): void;
}

/** The same bytes, with somebody looking on. */
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
