import { expect, test } from "vitest";
import { encodeVectors } from "./vector-encoding.ts";
import { createVectorEncoder } from "./vector-encoder.ts";

const vectors = [Float32Array.of(0.6, 0.8, 0), Float32Array.of(0, -1, 0), Float32Array.of(0.1, 0.2, 0.97)];

test("slices put together are the same bytes as all at once", () => {
  const encoder = createVectorEncoder();
  encoder.add(vectors.slice(0, 2));
  encoder.add(vectors.slice(2));
  const { dimensions, vectors: bytes } = encoder.finish();
  expect(dimensions).toBe(3);
  expect(Buffer.from(bytes)).toEqual(Buffer.from(encodeVectors(vectors)));
});

test("vectors of two lengths are rejected", () => {
  const encoder = createVectorEncoder();
  encoder.add(vectors);
  expect(() => encoder.add([Float32Array.of(1, 0)])).toThrow("another embedding model");
});
