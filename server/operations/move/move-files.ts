import { join } from "node:path";
import { AppError } from "../../lib/errors.ts";
import type { FileStores } from "../../lib/file-store.ts";
import { fingerprintOf } from "../copy-file.ts";
import { walkFileAreas } from "../data-folder.ts";

/** Copies every file of the data folder into the stores, skipping files that are already there with the same content. */
export async function moveFiles(
  dataDir: string,
  stores: FileStores,
  onFile: (files: number) => void,
): Promise<{ files: number; bytes: number }> {
  const total = { files: 0, bytes: 0 };
  for await (const path of walkFileAreas(dataDir)) {
    const local = { path: join(dataDir, path), ...(await fingerprintOf(join(dataDir, path))) };
    const { store, key } = locate(stores, path);
    if ((await store.stat(key))?.sha256 !== local.sha256) await store.writeFile(key, local);
    const stored = await store.stat(key);
    if (stored?.bytes !== local.bytes || stored.sha256 !== local.sha256)
      throw new AppError(
        "file_not_moved",
        `The file ${path} in the bucket differs from the file in the folder.`,
      );
    total.files += 1;
    total.bytes += local.bytes;
    onFile(total.files);
  }
  return total;
}

/** `files/<owner>/<path>` belongs to an owner; the other areas have no owners. */
function locate(stores: FileStores, path: string) {
  const [area = "", ...names] = path.split("/");
  if (area !== "files") return { store: stores.area(area), key: names.join("/") };
  const [ownerId = "", ...rest] = names;
  return { store: stores.area(area, ownerId), key: rest.join("/") };
}
