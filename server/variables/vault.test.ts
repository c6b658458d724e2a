import { randomBytes } from "node:crypto";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openTestDb } from "../../test/support/open-db.ts";
import { createSecretBox } from "../security/secret-box.ts";
import type { Db } from "../storage/db.ts";
import { createVariableStore } from "./variable.sql.ts";
import { createVariables } from "./variables.ts";
import { createVault } from "./vault.ts";

const clock = { now: () => 1, monotonic: () => 1 };
const oldKey = randomBytes(32);
let db: Db;
let close: () => Promise<void>;
beforeEach(async () => {
  ({ db, close } = await openTestDb());
  for (const id of ["ada", "ben"]) {
    await db.batch([
      {
        sql: "insert into workspace (id, name, kind, created_at) values ($1, '', 'personal', 1)",
        params: [id],
      },
    ]);
  }
});
afterEach(() => close());

function open(...keys: [Buffer, ...Buffer[]]) {
  const store = createVariableStore(db);
  const box = createSecretBox(keys);
  return { variables: createVariables({ store, box, clock }), vault: createVault({ store, box }) };
}

test("variables and secrets are not mixed up, and unknown names are left out", async () => {
  const { variables, vault } = open(oldKey);
  await variables.put("ada", "region", { value: { name: "eu" } });
  await variables.put("ada", "token", { value: "hush", secret: true });
  const names = ["region", "token", "missing"];
  expect(await vault.variables("ada", names)).toEqual({ region: { name: "eu" } });
  expect(await vault.secrets("ada", names)).toEqual({ token: "hush" });
  expect(await vault.variables("ada", [])).toEqual({});
  expect(await vault.secrets("ben", names)).toEqual({});
});

test("[S21] after a key rotation old secrets can be decrypted; without the old key the error says why not", async () => {
  await open(oldKey).variables.put("ada", "token", { value: "hush", secret: true });
  const newKey = randomBytes(32);
  expect(await open(newKey, oldKey).vault.secrets("ada", ["token"])).toEqual({ token: "hush" });
  await expect(open(newKey).vault.secrets("ada", ["token"])).rejects.toMatchObject({
    code: "secret_unreadable",
  });
});

test("[S21] an encrypted row copied to another owner or name cannot be decrypted", async () => {
  const { variables, vault } = open(oldKey);
  await variables.put("ada", "token", { value: "hush", secret: true });
  const copy = (owner: string, name: string) =>
    db.batch([
      {
        sql: "insert into variable select $1, $2, secret, value, updated_at from variable where name = 'token' and owner_id = 'ada'",
        params: [owner, name],
      },
    ]);
  await copy("ben", "token");
  await copy("ada", "other");
  await expect(vault.secrets("ben", ["token"])).rejects.toMatchObject({ code: "secret_unreadable" });
  await expect(vault.secrets("ada", ["other"])).rejects.toMatchObject({ code: "secret_unreadable" });
});
