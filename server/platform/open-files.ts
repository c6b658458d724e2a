import { join } from "node:path";
import type { Config } from "../config.ts";
import type { FileStores } from "../lib/file-store.ts";
import { createEgress } from "../security/egress.ts";
import { createBucketStores } from "../storage/files/bucket/bucket-stores.ts";
import { createFolderStores } from "../storage/files/folder-store.ts";

/**
 * Where files stand: in the bucket that the settings name, else in the data folder. The bucket has a door of its own,
 * which opens the operator's address and no other, so that a private one is not opened for workflows.
 */
export async function openFiles(
  config: Pick<Config, "dataDir" | "bucket" | "host" | "egress">,
): Promise<FileStores> {
  const { bucket, dataDir } = config;
  if (bucket === undefined) return createFolderStores(dataDir);
  const { hostname, port, protocol } = new URL(bucket.endpoint);
  const door = createEgress({
    listenHost: config.host,
    allow: [`${hostname}:${port || (protocol === "https:" ? 443 : 80)}`],
    deny: config.egress.deny,
  });
  const stores = createBucketStores({
    settings: bucket,
    dispatcher: door.dispatcher,
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
