import { expect, onTestFinished, test } from "vitest";
import type { AppWebhook } from "../../apps/define-app.ts";
import { openTestDb } from "../../test/support/open-db.ts";
import { systemClock } from "../lib/clock.ts";
import { createSecretBox } from "../security/secret-box.ts";
import { createTriggerClaims } from "../triggers/trigger-claims.sql.ts";
import { createTriggerLoop } from "../triggers/trigger-loop.ts";
import { createTriggerStore, type TriggerRecord } from "../triggers/trigger.sql.ts";
import { insertOwners, insertTrigger } from "../triggers/testing/trigger-samples.ts";
import type { TriggerSource } from "../triggers/source.ts";
import type { CurrentWorkflow } from "../workflows/runnable-workflow.sql.ts";
import { createAppSource } from "./app-source.ts";
import {
  exampleApp,
  type ScriptedAnswer,
  scriptedVendor,
  unlimitedValues,
} from "./testing/scripted-vendor.ts";

const webhook: AppWebhook = {
  subscribe: {
    method: "POST",
    path: "/lists/{{input.list}}/hooks",
    body: { url: "{{webhook.url}}", secret: "{{webhook.secret}}" },
  },
  id: "{{body.id}}",
  expires: "{{body.expires}}",
  unsubscribe: { method: "DELETE", path: "/lists/{{input.list}}/hooks/{{subscription.id}}" },
  list: {
    request: { path: "/lists/{{input.list}}/hooks" },
    items: "{{body.hooks}}",
    url: "{{item.url}}",
    id: "{{item.id}}",
  },
  scheme: "github",
};
const NONE: ScriptedAnswer = { body: { hooks: [] } };
const OURS = "https://baton.example.com/webhook/t/trg_1";
const settings = {
  app: "example",
  trigger: "event",
  connection: "conn_1",
  input: { list: "l1" },
  intervalSeconds: 60,
  startWith: "new" as const,
};

/** The real loop on a real database, with a vendor that gives these answers. */
async function open(answers: ScriptedAnswer[], { isActive = true } = {}) {
  const { db, close } = await openTestDb();
  onTestFinished(close);
  await insertOwners(db);
  let now = 1000;
  const clock = { ...systemClock, now: () => now };
  const vendor = scriptedVendor(answers);
  const list = { type: "string", title: "List" } as const;
  const app = exampleApp({
    triggers: { event: { title: "Event", description: "Events.", input: { list }, webhook, sample: {} } },
  });
  const source = createAppSource({
    catalogue: { find: () => Promise.resolve(app) },
    client: vendor.client,
    useConnection: () => Promise.resolve(vendor.use),
    box: createSecretBox(Buffer.alloc(32, 7)),
    clock,
    largeValues: unlimitedValues,
    publicUrl: "https://baton.example.com",
  });
  const started: unknown[] = [];
  const claims = createTriggerClaims(db);
  const loop = createTriggerLoop({
    claims,
    sourceOf: () => source as unknown as TriggerSource<"rss">,
    engine: {
      start: (given) => {
        started.push(given.input);
        return Promise.resolve({ taskId: `task_${started.length}`, existing: false } as never);
      },
    },
    currentWorkflow: () => Promise.resolve({ id: "wf_1", ownerId: "user_1", isActive } as CurrentWorkflow),
    clock,
    checksPerOwner: 0,
    onError: (error) => expect.unreachable(String(error)),
  });
  onTestFinished(loop.close);
  await insertTrigger(db, "trg_1", { kind: "app", settings } as Partial<TriggerRecord>);
  const store = createTriggerStore(db);
  const row = async () => (await db.query("select * from triggers where id = 'trg_1'"))[0];
  return {
    claims,
    loop,
    store,
    started,
    row,
    sent: () =>
      vendor.sent.map(({ url, init }) => `${init.method} ${url.replace("https://api.example.com/v1", "")}`),
    advance: (ms: number) => (now += ms),
    position: async () => JSON.parse(((await row())?.["position"] as string | null) ?? "null") as unknown,
  };
}

const SUBSCRIBED = ["GET /lists/l1/hooks", "POST /lists/l1/hooks"];

test("an active trigger subscribes once, with its secret stored before", async () => {
  const { loop, position, row, sent } = await open([NONE, { body: { id: 7 } }]);
  loop.poll();
  await expect
    .poll(position)
    .toMatchObject({ subscription: { id: "7", input: { list: "l1" }, connection: "conn_1" } });
  expect(sent()).toEqual(SUBSCRIBED);
  expect((await row())?.["secrets"]).toEqual(expect.any(String));
});

test("[R5] a crash after the request to subscribe leaves one subscription: the first is found by its URL and ended", async () => {
  const lost = {
    body: {
      hooks: [
        { id: 1, url: "https://other.example.com" },
        { id: 7, url: OURS },
      ],
    },
  };
  const { loop, claims, position, sent } = await open([lost, { status: 204 }, { body: { id: 8 } }]);
  const [claimed] = await claims.claim(1000, { limit: 1, perOwner: 0 });
  // What a process had stored before it sent the request and crashed.
  await claims.record(claimed!, { items: [], position: '{"subscription":null}', secrets: null, now: 1000 });
  await claims.release(claimed!);
  loop.poll();
  await expect.poll(position).toMatchObject({ subscription: { id: "8" } });
  expect(sent()).toEqual(["GET /lists/l1/hooks", "DELETE /lists/l1/hooks/7", "POST /lists/l1/hooks"]);
});

test("a removed trigger is hidden at once, and its row goes when the vendor has ended the subscription", async () => {
  const { loop, store, row, sent, position, advance } = await open([
    NONE,
    { body: { id: 7 } },
    { status: 503, body: {} },
    { status: 204 },
  ]);
  loop.poll();
  await expect.poll(position).toMatchObject({ subscription: { id: "7" } });
  await store.remove("trg_1", "user_1", 1000);
  await expect(store.get("trg_1", "user_1")).rejects.toMatchObject({ code: "trigger_not_found" });
  expect([(await store.list("user_1", { limit: 5 })).items, await store.count("user_1")]).toEqual([[], 0]);
  loop.poll();
  await expect.poll(async () => Number((await row())?.["failures"])).toBe(1);
  // The vendor failed once; the row stays until it has answered.
  advance(10 * 60_000);
  loop.poll();
  await expect.poll(row).toBe(undefined);
  expect(sent().slice(2)).toEqual(["DELETE /lists/l1/hooks/7", "DELETE /lists/l1/hooks/7"]);
});

test("a paused trigger unsubscribes, and an expiring subscription is made again before the old one ends", async () => {
  const expires = new Date(1000 + 13 * 3600 * 1000).toISOString();
  const { loop, store, position, row, sent, advance } = await open([
    NONE,
    { body: { id: 7, expires } },
    NONE,
    { body: { id: 8 } },
    { status: 204 },
    { status: 204 },
  ]);
  loop.poll();
  await expect.poll(position).toMatchObject({ subscription: { id: "7" } });
  advance(2 * 3600 * 1000);
  loop.poll();
  await expect.poll(position).toMatchObject({ subscription: { id: "8", expiresAt: null } });
  expect(sent().slice(2)).toEqual([...SUBSCRIBED, "DELETE /lists/l1/hooks/7"]);
  const trigger = await store.get("trg_1", "user_1");
  const change = { ...trigger, active: false, nextCheckAt: 1000, updatedAt: trigger.updatedAt + 1 };
  await store.update(change, { expectedUpdatedAt: trigger.updatedAt, isNewSource: false });
  loop.poll();
  await expect.poll(position).toBe(null);
  expect(sent().at(-1)).toBe("DELETE /lists/l1/hooks/8");
  expect(await row()).toMatchObject({ active: 0, next_check_at: null });
});

test("a delivery is stored before it is acknowledged, and starts one run", async () => {
  const { loop, claims, started, position } = await open([NONE, { body: { id: 7 } }]);
  loop.poll();
  await expect.poll(position).toMatchObject({ subscription: { id: "7" } });
  const item = { key: "d1", title: "Event", input: { n: 1 } };
  await claims.deliver("trg_1", item, 1000);
  await claims.deliver("trg_1", item, 1000);
  loop.poll();
  await expect.poll(() => started).toEqual([{ n: 1 }]);
  await claims.deliver("trg_1", { ...item, key: "d2", input: { n: 2 } }, 1000);
  loop.poll();
  await expect.poll(() => started).toEqual([{ n: 1 }, { n: 2 }]);
});
