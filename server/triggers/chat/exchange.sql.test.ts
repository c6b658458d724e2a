import { expect, onTestFinished, test } from "vitest";
import { openTestDb } from "../../../test/support/open-db.ts";
import { firstIdAt } from "../../lib/ids.ts";
import { insertOwners, insertTrigger } from "../testing/trigger-samples.ts";
import { createExchangeStore } from "./exchange.sql.ts";

test("messages from before a time are deleted, and later ones are kept", async () => {
  const { db, close } = await openTestDb();
  onTestFinished(close);
  await insertOwners(db);
  await insertTrigger(db, "trg_1");
  const store = createExchangeStore(db);
  for (const createdAt of [1000, 2000, 3000])
    await store.insert({
      id: firstIdAt("msg", createdAt),
      ownerId: "user_1",
      triggerId: "trg_1",
      conversation: "c",
      messageId: `m${createdAt}`,
      message: "Hi",
      taskId: null,
      status: "running",
      answer: null,
      createdAt,
    });
  expect([await store.prune(2500, 1), await store.prune(2500, 9), await store.prune(2500, 9)]).toEqual([
    1, 1, 0,
  ]);
  const left = await store.list("trg_1", "c", { limit: 9 });
  expect(left.map(({ messageId }) => messageId)).toEqual(["m3000"]);
});
