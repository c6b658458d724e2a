import { expect, test } from "vitest";
import { watchStream } from "./watched-stream.ts";

test("a large stream is passed on in pieces, with turns of the event loop in between", async () => {
  const bytes = Buffer.from(Array.from({ length: 50_000 }, (_, i) => i % 251));
  const pieces = [bytes.subarray(0, 10), bytes.subarray(10, 40_000), bytes.subarray(40_000)];
  const counted: number[] = [];
  let turns = 0;
  let isDone = false;
  const tick = (): void => {
    turns += 1;
    if (!isDone) setImmediate(tick);
  };
  setImmediate(tick);
  const watched = watchStream(ReadableStream.from(pieces) as ReadableStream<Uint8Array>, {
    onPiece: (piece) => counted.push(piece.length),
    onEnd: () => (isDone = true),
  });
  const received: Uint8Array[] = [];
  for await (const part of watched) received.push(part);
  expect(Buffer.concat(received)).toEqual(bytes);
  expect(counted).toEqual(pieces.map(({ length }) => length));
  expect(Math.max(...received.map(({ length }) => length))).toBe(4096);
  expect(turns).toBeGreaterThanOrEqual(10);
});
