import { randomBytes } from "node:crypto";
import { expect, onTestFinished, test } from "vitest";
import { openTestDb } from "../../test/support/open-db.ts";
import { createSecretBox } from "../security/secret-box.ts";
import { checkKeys, resealKeyCheck } from "./key-check.ts";

const [first, second] = [randomBytes(32), randomBytes(32)];

async function open() {
  const { db, close } = await openTestDb();
  onTestFinished(close);
  const problems: string[] = [];
  const start = (
    keys: [Buffer, ...Buffer[]],
    isShared: boolean,
    jwtSecrets: [string, ...string[]] = ["jwt-one"],
  ) =>
    checkKeys({
      db,
      box: createSecretBox(keys),
      jwtSecrets,
      isShared,
      onProblem: (message) => problems.push(message),
    });
  return { db, problems, start };
}

test("a process that shares its database is refused with another key; both keys rotate it", async () => {
  const { db, problems, start } = await open();
  await start([first], true);
  await expect(start([second], true)).rejects.toMatchObject({ code: "encryption_key_differs" });
  await start([second, first], true);
  await resealKeyCheck(db, createSecretBox([second, first]));
  await start([second], true);
  expect(problems).toEqual([]);
});

test("a process with its own database starts with another key and says so, each time", async () => {
  const { problems, start } = await open();
  await start([first], false);
  expect(problems).toEqual([]);
  for (const _start of [1, 2]) await start([second], false);
  expect(problems).toEqual(Array.from({ length: 2 }, () => expect.stringContaining("cannot be read")));
  await start([first], false);
  expect(problems).toHaveLength(2);
});

test("another JWT secret is reported where processes share a database, unless the old one is listed", async () => {
  const { problems, start } = await open();
  await start([first], true, ["jwt-one"]);
  await start([first], true, ["jwt-two", "jwt-one"]);
  expect(problems).toEqual([]);
  await start([first], true, ["jwt-three"]);
  expect(problems).toEqual([expect.stringContaining("JWT_SECRET differs")]);
  await start([first], false, ["jwt-four"]);
  expect(problems).toHaveLength(1);
});
