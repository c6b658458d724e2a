import {
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { noRunFiles } from "../../run-files/testing/open-run-files.ts";
import { createFileRunner } from "../../steps/file.ts";
import { createOwnerFolders } from "../../steps/owner-files.ts";
import { sampleCall } from "../../steps/testing/sample-call.ts";
import { createFolderStores } from "./folder-store.ts";

// Through the file step, because untrusted paths arrive there.
let dataDir = "";
let root = "";
let runner: ReturnType<typeof createFileRunner>;

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), "baton-folder-"));
  root = join(dataDir, "files", "user_a");
  runner = createFileRunner({
    runFiles: noRunFiles,
    folders: createOwnerFolders(createFolderStores(dataDir)),
  });
});
afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

const act = async (action: string, path: string, content = "") =>
  (await runner.run(sampleCall({ action, path, content }))).output;
const codeOf = (action: string, path: string, content = "") =>
  act(action, path, content).then(
    () => "no failure",
    (error: { code: string; message: string }) => {
      expect(error.message).not.toContain(dataDir);
      return error.code;
    },
  );

test("[S7] links are never followed, at any position of the path", async () => {
  const outside = join(dataDir, "outside");
  mkdirSync(join(outside, "sub"), { recursive: true });
  writeFileSync(join(outside, "secret.txt"), "secret");
  writeFileSync(join(outside, "sub", "secret.txt"), "secret");
  await act("write", "own.txt", "own");
  symlinkSync(outside, join(root, "folder"));
  symlinkSync(join(outside, "secret.txt"), join(root, "file"));
  symlinkSync(join(root, "own.txt"), join(root, "inside"));
  symlinkSync(join(outside, "new.txt"), join(root, "dangling"));
  for (const path of ["folder/secret.txt", "folder/sub/secret.txt", "file", "inside", "dangling"])
    for (const action of ["read", "write", "append", "delete"])
      expect([path, action, await codeOf(action, path, "x")]).toEqual([path, action, "path_outside_folder"]);
  expect(await codeOf("list", "folder")).toBe("path_outside_folder");
  expect(await codeOf("list", "folder/sub")).toBe("path_outside_folder");
  expect(await act("list", "/")).toEqual(["own.txt"]);
  expect(readFileSync(join(outside, "secret.txt"), "utf8")).toBe("secret");
  expect(readdirSync(outside).sort()).toEqual(["secret.txt", "sub"]);
});

test("an owner's folder that is a link is refused; the data folder may be one", async () => {
  mkdirSync(join(dataDir, "files"), { recursive: true });
  mkdirSync(join(dataDir, "elsewhere"));
  symlinkSync(join(dataDir, "elsewhere"), root);
  expect(await codeOf("write", "a.txt", "x")).toBe("path_outside_folder");
  expect(await codeOf("list", "/")).toBe("path_outside_folder");
  symlinkSync(join(dataDir, "elsewhere"), join(dataDir, "link"));
  runner = createFileRunner({
    runFiles: noRunFiles,
    folders: createOwnerFolders(createFolderStores(join(dataDir, "link"))),
  });
  await act("write", "a.txt", "x");
  expect(readFileSync(join(dataDir, "elsewhere", "files", "user_a", "a.txt"), "utf8")).toBe("x");
});

test("a hard-linked file is neither read nor written", async () => {
  await act("write", "a.txt", "x");
  const secret = join(dataDir, "secret.txt");
  writeFileSync(secret, "secret");
  linkSync(secret, join(root, "hard.txt"));
  for (const action of ["read", "write", "append"])
    expect(await codeOf(action, "hard.txt", "x")).toBe("path_outside_folder");
  expect(readFileSync(secret, "utf8")).toBe("secret");
});

test("a socket is not treated as a file", async () => {
  await act("write", "a.txt", "x");
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(join(root, "socket"), resolve));
  for (const action of ["read", "write", "append"])
    expect(await codeOf(action, "socket", "x")).toBe("path_outside_folder");
  server.close();
});

test("a write leaves no temporary file, and those of an earlier crash are removed", async () => {
  const unfinished = join(dataDir, "files", ".unfinished");
  mkdirSync(unfinished, { recursive: true });
  writeFileSync(join(unfinished, "old"), "half");
  writeFileSync(join(unfinished, "young"), "half");
  utimesSync(join(unfinished, "old"), 0, 0);
  await act("write", "a.txt", "x");
  expect(readdirSync(unfinished)).toEqual(["young"]);
});
