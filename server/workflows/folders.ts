import type { Folder } from "../../contract/workflows.ts";
import { MAX_FOLDER_LENGTH } from "../../contract/workflows.ts";
import type { Clock } from "../lib/clock.ts";
import { AppError, invalidRequest } from "../lib/errors.ts";
import type { FolderStore } from "./folder.sql.ts";

export type Folders = ReturnType<typeof createFolders>;

const MAX_FOLDERS = 1000;

/** Folders of workflows: paths, whose parts are separated by slashes. */
export function createFolders({ store, clock }: { store: FolderStore; clock: Clock }) {
  async function move(ownerId: string, from: string, to: string): Promise<number> {
    if (from === to) return 0;
    if (isInside(to, from)) throw invalidRequest("A folder cannot move into itself. Choose another folder.");
    const listed = await store.list(ownerId);
    const paths = new Map(
      listed
        .filter(({ folder }) => folder === from || isInside(folder, from))
        .map(({ folder }) => [folder, join(to, folder.slice(from.length + 1))]),
    );
    if ([...paths.values()].some((path) => path.length > MAX_FOLDER_LENGTH))
      throw invalidRequest(
        `The path of a subfolder would be longer than ${MAX_FOLDER_LENGTH} characters. Choose a shorter name.`,
      );
    return store.move(ownerId, { from, to, paths }, clock.now());
  }

  return {
    async list(ownerId: string): Promise<Folder[]> {
      const listed = await store.list(ownerId);
      // Compared by their parts: "A/B" comes before "A B".
      return listed.toSorted((a, b) => compareParts(a.folder.split("/"), b.folder.split("/")));
    },

    async create(ownerId: string, folder: string): Promise<void> {
      if (!(await store.insert(ownerId, folder, clock.now(), MAX_FOLDERS)))
        throw new AppError(
          "limit_reached",
          `A workspace has at most ${MAX_FOLDERS} folders. Delete one first.`,
        );
    },

    move,

    /** Moves the content to the folder above. */
    remove: (ownerId: string, folder: string) =>
      move(ownerId, folder, folder.slice(0, Math.max(0, folder.lastIndexOf("/")))),
  };
}

function isInside(path: string, folder: string): boolean {
  return path.startsWith(`${folder}/`);
}

function join(parent: string, name: string): string {
  return [parent, name].filter((part) => part !== "").join("/");
}

function compareParts(a: readonly string[], b: readonly string[]): number {
  for (const [index, part] of a.entries()) {
    const other = b[index];
    if (other === undefined) return 1;
    const order = part.localeCompare(other);
    if (order !== 0) return order;
  }
  return a.length - b.length;
}
