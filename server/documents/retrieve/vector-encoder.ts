import { encodeVectors, mismatch } from "./vector-encoding.ts";

/** Encodes the vectors of a document slice by slice, so that no step blocks the event loop. */
export function createVectorEncoder() {
  const slices: { count: number; bytes: Uint8Array }[] = [];
  let dimensions = 0;

  return {
    add(vectors: readonly Float32Array[]): void {
      const size = vectors[0]?.length ?? 0;
      if (dimensions !== 0 && size !== dimensions) throw mismatch(`${size} and ${dimensions} dimensions`);
      dimensions = size;
      slices.push({ count: vectors.length, bytes: encodeVectors(vectors) });
    },
    /** The layout of encodeVectors: all scales, then all codes. */
    finish(): { dimensions: number; vectors: Uint8Array } {
      const scales = slices.map(({ count, bytes }) => bytes.subarray(0, count * 4));
      const codes = slices.map(({ count, bytes }) => bytes.subarray(count * 4));
      return { dimensions, vectors: Buffer.concat([...scales, ...codes]) };
    },
  };
}
