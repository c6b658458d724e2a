import { brotliDecompressSync, inflateRawSync, inflateSync } from "node:zlib";

export interface BufferCeiling {
  /** True after the first allocation beyond the limit, even if the library swallowed the error. */
  readonly reached: boolean;
}

const decompressors: Record<string, typeof inflateSync> = {
  deflate: inflateSync,
  "deflate-raw": inflateRawSync,
  brotli: brotliDecompressSync,
};

/**
 * Limits every decompression in this thread to `maxBytes`. A stream of 1 MB can inflate to 1 GB, a worker's
 * `resourceLimits` count only the heap, and no timer fires in a synchronous loop, so the allocation itself must fail:
 * in the PDF library's own decoders, which grow typed arrays, and in the native one, which buffers its whole output.
 * Call it in a worker before the library is loaded.
 */
export function limitBuffers(maxBytes: number): BufferCeiling {
  const ceiling = { reached: false };

  function refuse(): never {
    ceiling.reached = true;
    throw new RangeError(`a stream of this file inflates beyond ${maxBytes} bytes`);
  }

  function limited(decompress: typeof inflateSync, chunk: Uint8Array): Uint8Array {
    try {
      return decompress(chunk, { maxOutputLength: maxBytes });
    } catch (error) {
      if ((error as { code?: unknown }).code === "ERR_BUFFER_TOO_LARGE") refuse();
      throw error;
    }
  }

  const guarded = <Constructor extends object>(original: Constructor): Constructor =>
    new Proxy(original, {
      construct(target, args: unknown[], newTarget) {
        // After the first bomb the library's fallback decoders fail early.
        const limit = ceiling.reached ? maxBytes / 16 : maxBytes;
        if (typeof args[0] === "number" && args[0] > limit) refuse();
        return Reflect.construct(target as new () => object, args, newTarget) as object;
      },
    });
  globalThis.Uint8Array = guarded(Uint8Array);
  globalThis.Uint8ClampedArray = guarded(Uint8ClampedArray);

  class LimitedDecompressionStream extends TransformStream<Uint8Array, Uint8Array> {
    constructor(format: string) {
      const decompress = decompressors[format];
      if (!decompress) throw new TypeError(`unknown compression ${format}`);
      super({
        transform(chunk, controller) {
          controller.enqueue(limited(decompress, chunk));
        },
      });
    }
  }
  globalThis.DecompressionStream = LimitedDecompressionStream as unknown as typeof DecompressionStream;
  return ceiling;
}
