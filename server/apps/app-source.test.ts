import { expect, onTestFinished, test } from "vitest";
import type { AppPolling } from "../../apps/define-app.ts";
import { sendJson, startVendor } from "../../test/support/vendor.ts";
import { createLargeValues } from "../engine/run/large-values.ts";
import { systemClock } from "../lib/clock.ts";
import { createFairQueue } from "../lib/fair-queue.ts";
import { limitsOf } from "../limits/testing/limits-of.ts";
import { noRunFiles } from "../run-files/testing/open-run-files.ts";
import { createEgress } from "../security/egress.ts";
import { createSecretBox } from "../security/secret-box.ts";
import type { TriggerRecord } from "../triggers/trigger.sql.ts";
import { createAppClient } from "./app-client.ts";
import { createAppSource } from "./app-source.ts";
import {
  exampleApp,
  type ScriptedAnswer,
  scriptedVendor,
  unlimitedValues,
} from "./testing/scripted-vendor.ts";

const noWebhooks = {
  box: createSecretBox(Buffer.alloc(32, 7)),
  clock: systemClock,
  largeValues: unlimitedValues,
  publicUrl: "https://baton.example.com",
};

const polling: AppPolling = {
  request: { path: "/lists/{{input.list}}", query: { since: "{{since}}", cursor: "{{cursor}}" } },
  items: "{{body.items}}",
  paging: { kind: "cursor", size: 2, cursor: "{{body.next}}" },
  key: "{{item.id}}",
  name: "Item {{item.id}}",
  order: "newest_first",
  output: { id: "{{item.id}}" },
};

const page = (ids: number[], next = ""): ScriptedAnswer => ({
  body: { items: ids.map((id) => ({ id, at: `t${id}` })), next },
});

/** A trigger that is checked again and again, each time with other answers of the vendor. */
function open(changes: Partial<AppPolling> = {}, settings: Partial<TriggerRecord<"app">["settings"]> = {}) {
  const list = { type: "string", title: "List", required: true } as const;
  const trigger = {
    title: "New item",
    description: "Items.",
    input: { list },
    polling: { ...polling, ...changes },
    sample: { id: 1 },
  };
  const app = exampleApp({ triggers: { new_item: trigger } });
  let position: string | null = null;
  const started = new Set<string>();
  const record = () =>
    ({
      id: "trg_1",
      ownerId: "user_1",
      position,
      settings: {
        app: "example",
        trigger: "new_item",
        connection: "conn_1",
        input: { list: "l1" },
        intervalSeconds: 60,
        startWith: "new",
        ...settings,
      },
    }) as TriggerRecord<"app">;
  async function check(...answers: ScriptedAnswer[]) {
    const { client, use, sent } = scriptedVendor(answers);
    const source = createAppSource({
      catalogue: { find: () => Promise.resolve(app) },
      client,
      useConnection: () => Promise.resolve(use),
      ...noWebhooks,
    });
    const knownKeys = (keys: readonly string[]) =>
      Promise.resolve(new Set(keys.filter((key) => started.has(key))));
    const result = await source.check(record(), { signal: AbortSignal.timeout(5000), knownKeys });
    position = result.position;
    for (const { key } of result.items) started.add(key);
    return {
      ids: result.items.map(({ input }) => input["id"]),
      hasMore: result.hasMore,
      urls: sent.map(({ url }) => url),
    };
  }
  return { check, app, record, change: (more: typeof settings) => (settings = { ...settings, ...more }) };
}

test("what is there at first starts nothing, and each new item starts once, the oldest first", async () => {
  const { check } = open();
  expect((await check(page([2, 1]))).ids).toEqual([]);
  expect((await check(page([4, 3], "n2"), page([2, 1]))).ids).toEqual([3, 4]);
  expect((await check(page([4, 3], "n2"))).ids).toEqual([]);
  // Item 4 was deleted, 2 is on the first page again.
  expect((await check(page([3, 2]))).ids).toEqual([]);
  expect((await check(page([]))).ids).toEqual([]);
  expect((await check(page([2, 1]))).ids).toEqual([]);
});

test("with startWith all, the items of all pages start", async () => {
  const { check } = open({}, { startWith: "all" });
  expect((await check(page([3, 2], "n2"), page([1]))).ids).toEqual([1, 2, 3]);
});

test("pages are read only until an item was seen before", async () => {
  const { check } = open();
  await check(page([2, 1]));
  const { urls, ids } = await check(page([4, 3], "n2"), page([2, 1], "n3"), page([0]));
  expect([urls.length, ids]).toEqual([2, [3, 4]]);
});

test("the newest item bounds the next request", async () => {
  const { check } = open({ since: "{{item.at}}" });
  const first = await check(page([2, 1]));
  expect(first.urls).toEqual(["https://api.example.com/v1/lists/l1"]);
  const second = await check(page([2]));
  expect([second.urls, second.ids]).toEqual([["https://api.example.com/v1/lists/l1?since=t2"], []]);
  // An empty answer keeps the position.
  expect((await check(page([]))).ids).toEqual([]);
  expect((await check(page([3, 2]))).ids).toEqual([3]);
  expect((await check(page([3]))).urls).toEqual(["https://api.example.com/v1/lists/l1?since=t3"]);
});

test("a vendor with the oldest first is read to its end", async () => {
  const { check } = open({ order: "oldest_first" });
  expect((await check(page([1, 2], "n2"), page([3]))).ids).toEqual([]);
  expect((await check(page([1, 2], "n2"), page([3, 4]))).ids).toEqual([4]);
});

test("more items than one check takes continue with the next check, without a loss or a repetition", async () => {
  const { check } = open(
    { since: "{{item.at}}", paging: { kind: "cursor", size: 300, cursor: "{{body.next}}" } },
    { startWith: "all" },
  );
  const all = Array.from({ length: 250 }, (_, i) => 250 - i);
  const found: unknown[] = [];
  for (let checks = 0; checks < 3; checks += 1) {
    const { ids, hasMore } = await check(page(all));
    found.push(...ids);
    expect(hasMore).toBe(checks < 2);
  }
  expect(found).toEqual(all.toReversed());
});

test("a check that was lost after it was read finds the same items again", async () => {
  const { check, record } = open({}, { startWith: "all" });
  const before = record().position;
  const { client, use } = scriptedVendor([page([1])]);
  const source = createAppSource({
    catalogue: { find: () => Promise.resolve(open().app) },
    client,
    useConnection: () => Promise.resolve(use),
    ...noWebhooks,
  });
  const none = () => Promise.resolve(new Set<string>());
  const lost = await source.check(record(), { signal: AbortSignal.timeout(5000), knownKeys: none });
  expect([before, lost.items.length]).toEqual([null, 1]);
  expect((await check(page([1]))).ids).toEqual([1]);
});

test("with another input the next check begins like the first", async () => {
  const { check, change } = open();
  await check(page([1]));
  change({ input: { list: "l2" } });
  const { ids, urls } = await check(page([9, 8]));
  expect([ids, urls]).toEqual([[], ["https://api.example.com/v1/lists/l2"]]);
});

test("the credential is not in the error of a check or a test", async () => {
  const { app, record } = open();
  const refused = { status: 400, body: { message: "Bad key Bearer top-secret-token" } };
  const { client, use } = scriptedVendor([refused, refused]);
  const source = createAppSource({
    catalogue: { find: () => Promise.resolve({ ...app, errors: { message: "{{body.message}}" } }) },
    client,
    useConnection: () => Promise.resolve(use),
    ...noWebhooks,
  });
  const signal = AbortSignal.timeout(5000);
  const shown = { code: "http_error", message: "Example: Bad key Bearer •••" };
  const knownKeys = () => Promise.resolve(new Set<string>());
  await expect(source.check(record(), { signal, knownKeys })).rejects.toMatchObject(shown);
  await expect(source.sample(record(), signal)).rejects.toMatchObject(shown);
});

test("of a source with the newest last, the last thousand items are read", async () => {
  const { check } = open({ order: "oldest_first" });
  const all = Array.from({ length: 1500 }, (_, i) => i);
  expect((await check(page(all))).ids).toEqual([]);
  expect((await check(page([...all, 1500]))).ids).toEqual([1500]);
});

test("an answer over a megabyte is read with a slot, which is free again when the check ends", async () => {
  const { app, record } = open();
  const queue = createFairQueue({ slots: 1, slotsPerKey: 1, refuse: () => new Error("full") });
  const largeValues = createLargeValues(queue);
  const vendor = await startVendor((_request, response) =>
    sendJson(response, 200, { items: [{ id: 1, text: "x".repeat(3_000_000) }] }),
  );
  const egress = createEgress({ allowPrivate: true, allow: [], deny: [] });
  onTestFinished(() => egress.close());
  const { use } = scriptedVendor([]);
  const source = createAppSource({
    ...noWebhooks,
    catalogue: { find: () => Promise.resolve({ ...app, baseUrl: vendor.url }) },
    client: createAppClient({
      fetch: (_use, url, init) => egress.fetch(url, init),
      limits: limitsOf(),
      runFiles: noRunFiles,
      clock: systemClock,
    }),
    useConnection: () => Promise.resolve(use),
    largeValues,
  });
  const signal = AbortSignal.timeout(20_000);
  const other = largeValues.hold("user_2");
  await other.take();
  let isRead = false;
  const reading = source.sample(record(), signal).then((item) => {
    isRead = true;
    return item;
  });
  await expect.poll(() => queue.waiting()).toBe(1);
  expect(isRead).toBe(false);
  other.release();
  expect(await reading).toMatchObject({ input: { id: 1 } });

  await expect.poll(() => queue.running()).toBe(0);
  const knownKeys = () => Promise.resolve(new Set<string>());
  const waiting = largeValues.hold("user_2");
  await waiting.take();
  const checking = source.check(record(), { signal, knownKeys });
  await expect.poll(() => queue.waiting()).toBe(1);
  waiting.release();
  expect((await checking).hasMore).toBe(false);
  await expect.poll(() => queue.running()).toBe(0);
});
