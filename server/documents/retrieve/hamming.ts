/** Sets each distance to the number of bits in which that row of signs differs from the target. */
export type MeasureRows = (signs: Uint32Array, target: Uint32Array, distances: Uint16Array) => void;

/** The types of Node.js declare none of this. */
declare const WebAssembly: {
  Memory: new (pages: { initial: number; maximum: number }) => { buffer: ArrayBuffer };
  Module: new (bytes: Uint8Array) => object;
  Instance: new (module: object, imports: Record<string, object>) => { exports: Record<string, unknown> };
};

/** Rows are copied here in slices: 1 MiB stays in the cache. */
const MEMORY_PAGES = 16;
const PAGE_BYTES = 65_536;

/**
 * WebAssembly has the processor's instruction to count bits, which JavaScript lacks: 500,000 rows of 384 bits take 12 ms,
 * the copy included, instead of 29 ms. The length of a row must be a multiple of three words.
 */
export function createHamming(): MeasureRows {
  const memory = new WebAssembly.Memory({ initial: MEMORY_PAGES, maximum: MEMORY_PAGES });
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(MODULE), { e: { m: memory } });
  const measure = exports["f"] as (rows: number, end: number, rowBytes: number, distances: number) => void;

  return (signs, target, distances) => {
    const rowBytes = target.byteLength;
    // Layout: the target, then the rows of a slice, then a distance of two bytes for each of them.
    const rowsPerSlice = Math.floor((MEMORY_PAGES * PAGE_BYTES - rowBytes) / (rowBytes + 2));
    const words = new Uint32Array(memory.buffer);
    words.set(target);
    for (let row = 0; row < distances.length; row += rowsPerSlice) {
      const rows = Math.min(rowsPerSlice, distances.length - row);
      words.set(signs.subarray(row * target.length, (row + rows) * target.length), target.length);
      const end = rowBytes * (1 + rows);
      measure(rowBytes, end, rowBytes, end);
      distances.set(new Uint16Array(memory.buffer, end, rows), row);
    }
  };
}

/** Instructions that push the number of bits in which word `n` of this step differs between row and target. */
const countWord = (n: number): number[] =>
  [
    [0x20, 0, 0x20, 4, 0x6a, 0x28, 2, 4 * n], // load at row + i + 4n
    [0x20, 4, 0x28, 2, 4 * n], // load at i + 4n, in the target
    [0x73, 0x69], // xor, count the bits
  ].flat();

/**
 * f(row, end, rowBytes, out), with the locals i and distance:
 * do { i = distance = 0; do { distance += 3 words; i += 12 } while (i < rowBytes); *out = distance; out += 2; row +=
 * rowBytes } while (row < end)
 */
const BODY = [
  [1, 2, 0x7f], // two locals of 32 bits: i (4) and distance (5)
  [0x03, 0x40], // loop over the rows
  [0x41, 0, 0x21, 4, 0x41, 0, 0x21, 5], // i = 0, distance = 0
  [0x03, 0x40], // loop over the words of a row
  [...countWord(0), ...countWord(1), 0x6a, ...countWord(2), 0x6a, 0x20, 5, 0x6a, 0x21, 5], // distance += …
  [0x20, 4, 0x41, 12, 0x6a, 0x22, 4, 0x20, 2, 0x49, 0x0d, 0, 0x0b], // i += 12; again while i < rowBytes
  [0x20, 3, 0x20, 5, 0x3b, 1, 0], // store 16 bits at out
  [0x20, 3, 0x41, 2, 0x6a, 0x21, 3], // out += 2
  [0x20, 0, 0x20, 2, 0x6a, 0x22, 0, 0x20, 1, 0x49, 0x0d, 0, 0x0b], // row += rowBytes; again while row < end
  [0x0b],
].flat();

/** Lengths below 128 are one byte; the body is longer and takes two. */
const twoBytes = (length: number): number[] => [(length & 0x7f) | 0x80, length >> 7];

const MODULE = Uint8Array.from(
  [
    [0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0], // "\0asm", version 1
    [1, 8, 1, 0x60, 4, 0x7f, 0x7f, 0x7f, 0x7f, 0], // type: four integers, no result
    [2, 9, 1, 1, 0x65, 1, 0x6d, 2, 1, MEMORY_PAGES, MEMORY_PAGES], // import of the memory "e"."m"
    [3, 2, 1, 0], // function 0 has type 0
    [7, 5, 1, 1, 0x66, 0, 0], // export of function 0 as "f"
    [10, ...twoBytes(BODY.length + 3), 1, ...twoBytes(BODY.length), ...BODY],
  ].flat(),
);
