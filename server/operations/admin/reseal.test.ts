import { randomBytes } from "node:crypto";
import type { Task } from "@a2a-js/sdk";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openTestDb } from "../../../test/support/open-db.ts";
import { createPushConfigStore } from "../../a2a/push-config.sql.ts";
import { createPushConfigs } from "../../a2a/push-configs.ts";
import { loadSdk } from "../../a2a/sdk.ts";
import { openJson, sealJson } from "../../connections/sealed-json.ts";
import { createSecretBox, type SecretBox } from "../../security/secret-box.ts";
import type { Db } from "../../storage/db.ts";
import { createVariableStore } from "../../variables/variable.sql.ts";
import { createVariables } from "../../variables/variables.ts";
import { createVault } from "../../variables/vault.ts";
import { resealColumn } from "./reseal.ts";
import { type SealedColumn, SEALED_COLUMNS } from "../../storage/sealed-columns.ts";

const clock = { now: () => 1, monotonic: () => 1 };
const [oldKey, newKey, lostKey] = [randomBytes(32), randomBytes(32), randomBytes(32)];
const variableColumn = SEALED_COLUMNS.find(({ table }) => table === "variable") as SealedColumn;
let db: Db;
let close: () => Promise<void>;
beforeEach(async () => {
  ({ db, close } = await openTestDb());
  for (const id of ["ada", "ben"])
    await db.batch([
      {
        sql: "insert into workspace (id, name, kind, created_at) values ($1, '', 'personal', 1)",
        params: [id],
      },
    ]);
});
afterEach(() => close());

const secretsWith = (key: Buffer) =>
  createVariables({ store: createVariableStore(db), box: createSecretBox(key), clock });
const open = (key: Buffer, owner: string, name: string) =>
  createVault({ store: createVariableStore(db), box: createSecretBox(key) }).secrets(owner, [name]);

async function addSecrets(key: Buffer, count: number): Promise<void> {
  const variables = secretsWith(key);
  for (let n = 0; n < count; n++)
    for (const owner of ["ada", "ben"])
      await variables.put(owner, `token_${n}`, { value: `value ${n}`, secret: true });
}

test("every value is encrypted with the newest key, over several batches", async () => {
  await addSecrets(oldKey, 150);
  await secretsWith(oldKey).put("ada", "plain", { value: "v1.plain" });
  const box = createSecretBox([newKey, oldKey]);
  expect(await resealColumn(db, box, variableColumn)).toEqual({ resealed: 300, unreadable: 0 });
  expect(await open(newKey, "ben", "token_149")).toEqual({ token_149: "value 149" });
  const [plain] = await db.query("select value from variable where name = 'plain'");
  expect(plain).toEqual({ value: '"v1.plain"' });
});

test("a second run finds nothing to do", async () => {
  await addSecrets(oldKey, 3);
  const box = createSecretBox([newKey, oldKey]);
  await resealColumn(db, box, variableColumn);
  expect(await resealColumn(db, box, variableColumn)).toEqual({ resealed: 0, unreadable: 0 });
});

test("values of an unknown key are counted, left unchanged and do not stop the others", async () => {
  await secretsWith(lostKey).put("ada", "a_lost", { value: "gone", secret: true });
  await addSecrets(oldKey, 2);
  const box = createSecretBox([newKey, oldKey]);
  expect(await resealColumn(db, box, variableColumn)).toEqual({ resealed: 4, unreadable: 1 });
  expect(await open(lostKey, "ada", "a_lost")).toEqual({ a_lost: "gone" });
});

test("a value that is replaced meanwhile keeps its replacement", async () => {
  await secretsWith(oldKey).put("ada", "token", { value: "first", secret: true });
  const box = createSecretBox([newKey, oldKey]);
  const racing: Db = {
    ...db,
    async batch(statements, options) {
      await secretsWith(newKey).put("ada", "token", { value: "second", secret: true });
      return db.batch(statements, options);
    },
  };
  await resealColumn(racing, box, variableColumn);
  expect(await open(newKey, "ada", "token")).toEqual({ token: "second" });
});

test("the tokens and credentials of A2A webhooks open with the newest key alone", async () => {
  const store = createPushConfigStore(db);
  const configsWith = (box: SecretBox) =>
    createPushConfigs({ store, box, clock, isActive: () => Promise.resolve(true), wake: () => {} });
  const given = { tenant: "", id: "", taskId: "t", url: "https://example.com", token: "shared" };
  const authentication = { scheme: "Bearer", credentials: "abc" };
  const { id } = await configsWith(createSecretBox(oldKey)).save(
    await loadSdk(),
    { ownerId: "ada", agentId: "wf_1", caller: "key_1" },
    { id: "task_1", contextId: "ctx_1" } as Task,
    { ...given, authentication },
    "1.0",
  );
  const box = createSecretBox([newKey, oldKey]);
  for (const column of SEALED_COLUMNS) await resealColumn(db, box, column);
  expect(await configsWith(createSecretBox(newKey)).receiver(id, "ada")).toMatchObject({
    headers: { "x-a2a-notification-token": "shared", authorization: "Bearer abc" },
  });
});

test("connections keep their secrets and tokens under a new key", async () => {
  const row = { ownerId: "ada", id: "conn_1" };
  const sealed = (key: Buffer, column: "secrets" | "tokens" | "pending") =>
    sealJson(createSecretBox(key), row, column, { value: `the ${column}` });
  await db.batch([
    {
      sql: `insert into connection (id, owner_id, kind, name, hosts, fields, settings, secrets, tokens, pending, status, created_at, updated_at)
            values ('conn_1', 'ada', 'oauth2', '', '[]', '{}', '{}', $secrets, $tokens, $pending, 'connected', 1, 1)`,
      params: {
        secrets: sealed(oldKey, "secrets"),
        tokens: sealed(oldKey, "tokens"),
        pending: sealed(oldKey, "pending"),
      },
    },
  ]);
  const columns = SEALED_COLUMNS.filter(({ table }) => table === "connection");
  for (const column of columns)
    expect(await resealColumn(db, createSecretBox([newKey, oldKey]), column)).toEqual({
      resealed: 1,
      unreadable: 0,
    });
  const [stored] = await db.query("select secrets, tokens, pending from connection");
  for (const column of ["secrets", "tokens", "pending"] as const)
    expect(openJson(createSecretBox(newKey), row, column, String(stored?.[column]))).toEqual({
      value: `the ${column}`,
    });
});
