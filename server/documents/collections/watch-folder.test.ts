import { mkdtemp, rm, symlink, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { expect, onTestFinished, test } from "vitest";
import { AppError } from "../../lib/errors.ts";
import { createWatchFolder, type WatchFolderDeps } from "./watch-folder.ts";

/** A watched folder whose uploads are recorded. */
async function watch(change: Partial<WatchFolderDeps> = {}) {
  const folder = await mkdtemp(join(tmpdir(), "baton-watch-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const uploads: string[] = [];
  const errors: string[] = [];
  const states = new Map<string, string>();
  const open = () => {
    const watched = createWatchFolder({
      folder,
      limitBytes: 100,
      target: () => Promise.resolve({ ownerId: "user_a", collectionId: "col_a" }),
      taken: {
        states: () => Promise.resolve(new Map(states)),
        save: (_folder, name, state) => Promise.resolve(void states.set(name, state)),
      },
      files: {
        receive: async (stream) => ({
          path: (await buffer(stream)).toString(),
          sha256: "",
          bytes: 1,
          mediaType: "application/pdf",
          discard: () => Promise.resolve(),
        }),
      },
      upload: (ownerId, { file, fileName, collectionId }) =>
        Promise.resolve(void uploads.push([ownerId, collectionId, fileName, file.path].join(" "))),
      onError: (error) => void errors.push((error as Error).message),
      ...change,
    });
    onTestFinished(() => watched.close());
    return watched;
  };
  return { folder, uploads, errors, open, watched: open() };
}

test("a file is taken once it is the same in two polls, and only once", async () => {
  const { folder, uploads, watched, open } = await watch();
  await writeFile(join(folder, "a.pdf"), "half");
  await watched.poll();
  await writeFile(join(folder, "a.pdf"), "half and the rest");
  await watched.poll();
  expect(uploads).toEqual([]);
  await watched.poll();
  await watched.poll();
  expect(uploads).toEqual(["user_a col_a a.pdf half and the rest"]);
  // After a restart.
  const restarted = open();
  await restarted.poll();
  await restarted.poll();
  expect(uploads).toHaveLength(1);
  await writeFile(join(folder, "a.pdf"), "changed");
  await utimes(join(folder, "a.pdf"), 1, 1);
  await restarted.poll();
  await restarted.poll();
  expect(uploads[1]).toBe("user_a col_a a.pdf changed");
});

test("links, hidden, empty and too large files are left alone", async () => {
  const { folder, uploads, errors, watched } = await watch();
  await writeFile(join(folder, "real.pdf"), "real");
  await symlink(join(folder, "real.pdf"), join(folder, "link.pdf"));
  await writeFile(join(folder, ".hidden"), "hidden");
  await writeFile(join(folder, "empty.pdf"), "");
  await writeFile(join(folder, "large.pdf"), "x".repeat(101));
  for (let polls = 0; polls < 3; polls++) await watched.poll();
  expect(uploads).toEqual(["user_a col_a real.pdf real"]);
  // Refused once, not at every poll.
  expect(errors).toEqual(["large.pdf is larger than the limit."]);
});

test("a file is tried again after a passing failure, and nothing is read while the account is missing", async () => {
  let failures = 1;
  const uploads: string[] = [];
  const { folder, watched } = await watch({
    upload: (_ownerId, { fileName }) => {
      if (failures-- > 0)
        return Promise.reject(new AppError("storage_unavailable", "full", { retryable: true }));
      return Promise.resolve(void uploads.push(fileName));
    },
  });
  await writeFile(join(folder, "a.pdf"), "a");
  for (let polls = 0; polls < 3; polls++) await watched.poll();
  expect(uploads).toEqual(["a.pdf"]);

  const missing = await watch({ target: () => Promise.resolve(undefined) });
  await writeFile(join(missing.folder, "a.pdf"), "a");
  for (let polls = 0; polls < 3; polls++) await missing.watched.poll();
  expect(missing.uploads).toEqual([]);
});
