import { AppError } from "../../lib/errors.ts";

/**
 * Unit vectors as int8 with a scale each: a quarter of the memory, and a cosine that is off by about
 * 0.0005. The vectors of one document are one blob, so that opening an index reads a row a document.
 */
export interface VectorBlock {
  count: number;
  dimensions: number;
  codes: Int8Array;
  scales: Float32Array;
}

/** Layout: all scales as 32-bit floats, then all codes. */
export function encodeVectors(vectors: readonly Float32Array[]): Uint8Array {
  const dimensions = vectors[0]?.length ?? 0;
  const scales = new Float32Array(vectors.length);
  const codes = new Int8Array(vectors.length * dimensions);
  for (const [row, vector] of vectors.entries()) {
    if (vector.length !== dimensions) throw mismatch(`${vector.length} and ${dimensions} dimensions`);
    let largest = 0;
    for (const value of vector) largest = Math.max(largest, Math.abs(value));
    const scale = Math.fround(largest / 127) || 1;
    scales[row] = scale;
    for (let i = 0; i < dimensions; i++) codes[row * dimensions + i] = Math.round((vector[i] ?? 0) / scale);
  }
  return Buffer.concat([Buffer.from(scales.buffer), Buffer.from(codes.buffer)]);
}

export function decodeVectors(bytes: Uint8Array, dimensions: number): VectorBlock {
  const count = bytes.byteLength / (dimensions + 4);
  if (dimensions < 1 || !Number.isInteger(count))
    throw mismatch(`${bytes.byteLength} bytes, not of ${dimensions} dimensions`);
  // A copy: what a database hands out may be unaligned, or a view of something larger.
  const own = new Uint8Array(bytes).buffer;
  return { count, dimensions, scales: new Float32Array(own, 0, count), codes: new Int8Array(own, count * 4) };
}

/** The vectors of another model look like vectors and compare to nonsense; they must never be mixed. */
export function mismatch(what: string): AppError {
  return new AppError(
    "embedding_model_mismatch",
    `These vectors were made by another embedding model (${what}); the documents need to be indexed again.`,
  );
}
