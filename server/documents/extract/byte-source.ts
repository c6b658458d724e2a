import type { FileHandle } from "node:fs/promises";

/** The bytes of a file, in memory or on disk: reading a format's signature must not load 50 MB. */
export interface ByteSource {
  readonly size: number;
  /** Fewer bytes at the end of the file. */
  read(start: number, length: number): Promise<Buffer>;
}

export function bytesInMemory(bytes: Uint8Array): ByteSource {
  const all = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return { size: all.length, read: async (start, length) => all.subarray(start, start + length) };
}

export function bytesOnDisk(handle: FileHandle, size: number): ByteSource {
  return {
    size,
    async read(start, length) {
      const buffer = Buffer.alloc(Math.max(0, Math.min(length, size - start)));
      const { bytesRead } = await handle.read(buffer, 0, buffer.length, start);
      return buffer.subarray(0, bytesRead);
    },
  };
}
