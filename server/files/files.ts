import type { PageQuery } from "../../contract/api.ts";
import type { FileView } from "../../contract/files.ts";
import { AppError, invalidRequest } from "../lib/errors.ts";
import { type FileStore, type FileStores, isFolder, missingFile } from "../lib/file-store.ts";
import { type ResultPage, toResultPage } from "../lib/result-page.ts";
import { namesOf } from "../steps/file-path.ts";

export type Files = ReturnType<typeof createFiles>;

/** What `file` steps wrote, in the owner's own folder. */
export function createFiles(stores: FileStores) {
  const folderOf = (ownerId: string): FileStore => stores.area("files", ownerId);

  return {
    /** Folders first, then by name. */
    list: (ownerId: string, path: string, { limit, cursor }: PageQuery): Promise<ResultPage<FileView>> =>
      withHttpErrors(async () => {
        const key = keyOf(path);
        const entries = (await folderOf(ownerId).list(key)).map(({ name, kind, bytes }) => ({
          name,
          path: key === "" ? name : `${key}/${name}`,
          kind,
          bytes,
        }));
        const after = entries.sort(byKindAndName).filter((entry) => sortKey(entry) > (cursor ?? ""));
        return toResultPage(after.slice(0, limit + 1), limit, sortKey);
      }),

    open: (ownerId: string, path: string) =>
      withHttpErrors(async () => {
        const key = keyOf(path);
        if ((await folderOf(ownerId).stat(key))?.kind === "folder") throw isFolder(key);
        return { ...(await folderOf(ownerId).open(key)), name: key.split("/").at(-1) ?? key };
      }),

    /** Deletes a file, or a folder with everything in it. */
    remove: (ownerId: string, path: string): Promise<void> =>
      withHttpErrors(async () => {
        const key = keyOf(path);
        if (key === "") throw new AppError("invalid_path", "Your folder itself cannot be deleted.");
        const files = folderOf(ownerId);
        const entry = await files.stat(key);
        if (entry === undefined) throw missingFile(key);
        await (entry.kind === "folder" ? files.removeFolder(key) : files.remove(key));
      }),
  };
}

const keyOf = (path: string): string => namesOf(path).join("/");

/** "0" and "1" put folders before files; the cursor is this key too. */
function sortKey({ kind, name }: FileView): string {
  return `${kind === "folder" ? 0 : 1}${name}`;
}

function byKindAndName(a: FileView, b: FileView): number {
  return sortKey(a) < sortKey(b) ? -1 : 1;
}

const BAD_PATHS = new Set(["path_outside_folder", "invalid_path", "is_a_folder", "not_a_folder"]);

/** The codes of a `file` step have no HTTP status: to a client they are an invalid path. */
async function withHttpErrors<T>(job: () => Promise<T>): Promise<T> {
  try {
    return await job();
  } catch (error) {
    if (!(error instanceof AppError) || !BAD_PATHS.has(error.code)) throw error;
    throw invalidRequest(error.message, [{ path: "path", message: error.message }]);
  }
}
