import { mkdir, readdir } from "node:fs/promises";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openConnection } from "../storage/sqlite/connection.ts";
import { useTemporaryFolder } from "../../test/support/test-app.ts";
import { explainSystemError } from "./system-error.ts";

const failureOf = async (work: () => unknown): Promise<unknown> => {
  try {
    await work();
  } catch (error) {
    return error;
  }
  throw new Error("It did not fail.");
};

test("a refused file is named with what to do", async () => {
  const file = join(await useTemporaryFolder(), "file");
  writeFileSync(file, "");
  expect(explainSystemError(await failureOf(() => readdir(file)))).toBe(
    `${file} has a file where a folder is expected. Choose another path. (ENOTDIR)`,
  );
  expect(explainSystemError(await failureOf(() => mkdir(file)))).toContain("is a file where a folder");
});

test("a full disk names the file that was written, not the one that was read", () => {
  const error = Object.assign(new Error("no space"), { code: "ENOSPC", path: "/from", dest: "/data/to" });
  expect(explainSystemError(error)).toBe(
    "/data/to cannot be written: the disk is full. Free space, or choose a folder on a larger disk. (ENOSPC)",
  );
  expect(explainSystemError(Object.assign(new Error("open"), { code: "EMFILE" }))).toContain("ulimit -n");
});

test("a damaged database file is explained", async () => {
  const file = join(await useTemporaryFolder(), "x.sqlite");
  writeFileSync(file, "no database ".repeat(1000));
  const error = await failureOf(() => openConnection(file).prepare("select * from sqlite_master").all());
  expect(explainSystemError(error)).toMatch(
    /^The database is not a database file\. Check DATA_DIR, .* \(SQLite: .*\)$/,
  );
});

test("other errors are not explained", () => {
  for (const error of [new Error("x"), new TypeError("y"), undefined, "text", { code: "ECONNREFUSED" }])
    expect(explainSystemError(error)).toBeUndefined();
});
