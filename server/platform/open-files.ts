import { join } from "node:path";
import type { Config } from "../config.ts";
import type { FileStores } from "../lib/file-store.ts";
import { createEgress } from "../security/egress.ts";
import { createBucketStores } from "../storage/files/bucket/bucket-stores.ts";
import { createFolderStores } from "../storage/files/folder-store.ts";

/**
 * Opens the configured bucket or the data folder. The bucket gets its own egress guard that allows only its
 * address: a bucket on a private network must not make that network reachable for workflows.
 */
export async function openFiles(config: Pick<Config, "dataDir" | "bucket" | "egress">): Promise<FileStores> {
  const { bucket, dataDir } = config;
  if (bucket === undefined) return createFolderStores(dataDir);
  const { hostname, port, protocol } = new URL(bucket.endpoint);
  const egress = createEgress({
    allowPrivate: config.egress.allowPrivate,
    allow: [`${hostname}:${port || (protocol === "https:" ? 443 : 80)}`],
    deny: config.egress.deny,
  });
  const stores = createBucketStores({
    settings: bucket,
    dispatcher: await egress.dispatcher(),
    scratchFolder: join(dataDir, "scratch"),
  });
  try {
    await stores.probe();
  } catch (error) {
    await stores.close();
    throw error;
  }
  return stores;
}
