import { join } from "node:path";
import { Agent } from "undici";
import type { FileStores } from "../../server/lib/file-store.ts";
import { createBucketStores } from "../../server/storage/files/bucket/bucket-stores.ts";
import { createFolderStores } from "../../server/storage/files/folder-store.ts";
import { startStubBucket, type StubBucket } from "../support/stub-bucket.ts";

export interface OpenStores {
  files: FileStores;
  close(): Promise<void>;
}

export function openFolder(folder: string): Promise<OpenStores> {
  const files = createFolderStores(folder);
  return Promise.resolve({ files, close: () => files.close() });
}

/** Pages of three keys, so that every longer listing takes several. Pauses between tries are only counted. */
export async function openBucket(
  folder: string,
): Promise<OpenStores & { bucket: StubBucket; pausesMs: number[] }> {
  const bucket = await startStubBucket({ pageSize: 3 });
  const pausesMs: number[] = [];
  const { S3_ENDPOINT, S3_BUCKET, S3_REGION, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY } = bucket.settings;
  const files = createBucketStores({
    settings: {
      endpoint: S3_ENDPOINT,
      bucket: S3_BUCKET,
      region: S3_REGION,
      accessKeyId: S3_ACCESS_KEY_ID,
      secretAccessKey: S3_SECRET_ACCESS_KEY,
      prefix: "some/prefix",
    },
    dispatcher: new Agent(),
    scratchFolder: join(folder, "scratch"),
    timeoutMs: 500,
    pause: (ms) => Promise.resolve(pausesMs.push(ms)),
  });
  return {
    files,
    bucket,
    pausesMs,
    async close() {
      await files.close();
      await bucket.close();
    },
  };
}
