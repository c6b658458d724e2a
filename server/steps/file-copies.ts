import { createHash } from "node:crypto";
import { createWriteStream } from "node:fs";
import { rm } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import type { FileReference } from "../../contract/file-reference.ts";
import type { FileTarget, RunFiles } from "../run-files/run-files.ts";
import type { OwnerFiles } from "./owner-files.ts";

/** Copies between the owner's folder and files between steps, as streams. */
export function createFileCopies(
  runFiles: Pick<RunFiles, "create" | "open" | "newPath">,
  files: OwnerFiles,
  target: FileTarget,
) {
  return {
    async read(key: string): Promise<FileReference> {
      const { stream } = await files.open(key);
      return runFiles.create(target, { name: key }, stream as AsyncIterable<Buffer>);
    },
    /** Returns the size. */
    async write(key: string, fileId: string): Promise<number> {
      const { stream, reference } = await runFiles.open(target.ownerId, fileId);
      const path = await runFiles.newPath();
      const hash = createHash("sha256");
      stream.on("data", (chunk: Buffer) => hash.update(chunk));
      try {
        await pipeline(stream, createWriteStream(path, { mode: 0o600 }));
        await files.writeFile(key, { path, bytes: reference.size, sha256: hash.digest("hex") });
      } finally {
        await rm(path, { force: true });
      }
      return reference.size;
    },
  };
}
