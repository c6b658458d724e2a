import type { Dispatcher } from "undici";
import { sweepAbandoned } from "../../../lib/abandoned-files.ts";
import { areaNames, type FileStores } from "../../../lib/file-store.ts";
import { type BucketClientDeps, createBucketClient } from "./bucket-client.ts";
import type { BucketSettings } from "./bucket-settings.ts";
import { createBucketStore } from "./bucket-store.ts";
import { createObjects } from "./objects.ts";

export interface BucketStoresDeps extends Pick<BucketClientDeps, "timeoutMs" | "pause"> {
  settings: BucketSettings;
  /** Must allow the endpoint; closed together with the stores. */
  dispatcher: Dispatcher;
  /** For temporary local copies of files. */
  scratchFolder: string;
}

export function createBucketStores({ scratchFolder, ...deps }: BucketStoresDeps): FileStores {
  const { settings, dispatcher } = deps;
  const client = createBucketClient(deps);
  const prefixOf = (names: readonly string[]): string =>
    [settings.prefix, ...names]
      .filter(Boolean)
      .map((name) => `${name}/`)
      .join("");
  return {
    area(name, ownerId) {
      const prefix = prefixOf(areaNames(name, ownerId));
      return createBucketStore({ objects: createObjects(client, settings, prefix), prefix, scratchFolder });
    },
    async probe() {
      await sweepAbandoned(scratchFolder);
      await createObjects(client, settings, prefixOf([])).page("", { "max-keys": "1" });
    },
    close: () => dispatcher.destroy(),
  };
}
