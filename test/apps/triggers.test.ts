import { createHmac } from "node:crypto";
import { afterAll, expect, test } from "vitest";
import type { AppTrigger, AppWebhook } from "../../apps/define-app.ts";
import type { JsonValue } from "../../contract/placeholders/json-value.ts";
import { createAppDeliveries } from "../../server/apps/app-delivery.ts";
import { createAppSource, openTriggerSecret } from "../../server/apps/app-source.ts";
import { systemClock } from "../../server/lib/clock.ts";
import { createSecretBox } from "../../server/security/secret-box.ts";
import { unlimitedValues } from "../../server/apps/testing/scripted-vendor.ts";
import type { TriggerRecord } from "../../server/triggers/trigger.sql.ts";
import type { FoundItem } from "../../server/triggers/trigger-claims.sql.ts";
import { allExamples } from "./all.ts";
import type { ExpectedRequest } from "./support/app-examples.ts";
import { checkRequest } from "./support/check-request.ts";
import { signedDelivery } from "./support/sign-delivery.ts";
import { connectionOf, openFakeVendor } from "./support/fake-vendor.ts";

const vendor = await openFakeVendor();
afterAll(vendor.close);

const sourceDeps = {
  largeValues: unlimitedValues,
  box: createSecretBox(Buffer.alloc(32, 7)),
  clock: systemClock,
  publicUrl: "https://baton.example.com",
};

const polling = allExamples.flatMap((examples) =>
  Object.entries(examples.triggers ?? {}).flatMap(([id, example]) =>
    example.kind === "polling" ? [{ name: `${examples.app.id} ${id}`, id, examples, example }] : [],
  ),
);

test.each(polling)("$name starts a run for each new item once", async ({ id, examples, example }) => {
  const { app, fixture } = examples;
  const source = createAppSource({
    catalogue: { find: () => Promise.resolve(app) },
    client: vendor.client,
    useConnection: () => Promise.resolve(connectionOf(examples)),
    ...sourceDeps,
  });
  const settings = {
    app: app.id,
    trigger: id,
    connection: "conn_1",
    input: example.input ?? {},
    intervalSeconds: 60,
    startWith: "all",
  };
  const started = new Set<string>();
  async function check(position: string | null) {
    vendor.answers(...(example.pages ?? [example.answer ?? {}]));
    const record = { id: "trg_1", ownerId: "user_1", position, settings } as TriggerRecord<"app">;
    const knownKeys = (keys: readonly string[]) =>
      Promise.resolve(new Set(keys.filter((key) => started.has(key))));
    const result = await source.check(record, { signal: AbortSignal.timeout(5000), knownKeys });
    for (const { key } of result.items) started.add(key);
    return result;
  }
  const first = await check(null);
  expect(first.items.map(({ input }) => input)).toContainEqual(app.triggers?.[id]?.sample);
  const [request] = vendor.received;
  expect(vendor.received).toHaveLength(example.pages?.length ?? 1);
  for (const { title } of first.items) expect(title).not.toBe("");
  checkRequest({ app, fixture }, request!, example.request);
  expect((await check(first.position)).items).toEqual([]);
});

const webhooks = allExamples.flatMap((examples) =>
  Object.entries(examples.triggers ?? {}).flatMap(([id, example]) =>
    example.kind === "webhook" ? [{ name: `${examples.app.id} ${id}`, id, examples, example }] : [],
  ),
);

test.each(webhooks)(
  "$name subscribes, receives signed deliveries once, and unsubscribes",
  async ({ id, examples, example }) => {
    const { app, fixture } = examples;
    const { webhook, sample } = app.triggers![id] as Extract<AppTrigger, { webhook: AppWebhook }>;
    const source = createAppSource({
      catalogue: { find: () => Promise.resolve(app) },
      client: vendor.client,
      useConnection: () => Promise.resolve(connectionOf(examples)),
      ...sourceDeps,
    });
    const settings = {
      app: app.id,
      trigger: id,
      connection: "conn_1",
      input: example.input ?? {},
      intervalSeconds: 60,
      startWith: "new",
    };
    let record = {
      id: "trg_1",
      ownerId: "user_1",
      position: null,
      secrets: null,
      active: true,
      settings,
    } as TriggerRecord<"app">;
    const checkSent = (at: number, expected: ExpectedRequest | undefined) =>
      checkRequest({ app, fixture }, vendor.received.at(at)!, expected);
    async function check(): Promise<boolean> {
      const none = () => Promise.resolve(new Set<string>());
      const result = await source.check(record, { signal: AbortSignal.timeout(5000), knownKeys: none });
      record = { ...record, position: result.position, secrets: result.secrets ?? record.secrets };
      return result.hasMore;
    }

    vendor.answers(...(webhook.list ? [{ body: [] }] : []), example.subscribed);
    expect(await check()).toBe(true);
    expect(vendor.received).toEqual([]);
    expect(await check()).toBe(false);
    const subscribed = vendor.received.at(-1)!;
    expect(decodeURIComponent(subscribed.url.href + subscribed.text)).toContain(
      "https://baton.example.com/webhook/t/trg_1",
    );
    checkSent(-1, example.requests?.subscribe);
    expect(JSON.parse(record.position!)).toMatchObject({ subscription: { id: example.subscribed.id } });
    vendor.answers();
    expect(await check()).toBe(false);
    expect(vendor.received).toEqual([]);

    const items = new Map<string, FoundItem>();
    const receive = createAppDeliveries({
      catalogue: { find: () => Promise.resolve(app) },
      findTrigger: () => Promise.resolve(record),
      openSecret: (trigger) => openTriggerSecret(sourceDeps.box, trigger),
      store: (_id, item) => Promise.resolve(void items.set(item.key, item)),
      now: Date.now,
    });
    const deliver = (
      delivery: { headers: Record<string, string>; body: JsonValue },
      secret = openTriggerSecret(sourceDeps.box, record)!,
    ) => receive("trg_1", signedDelivery(webhook, delivery, secret));
    await deliver(example.delivery);
    await deliver(example.delivery);
    if (example.ignored) await deliver(example.ignored);
    expect([...items.values()].map(({ input }) => input)).toEqual([sample]);
    await expect(deliver(example.delivery, "another-secret")).rejects.toMatchObject({
      code: "invalid_signature",
    });

    vendor.answers({ status: 204 });
    await source.release!(record, AbortSignal.timeout(5000));
    checkSent(0, example.requests?.unsubscribe);
    // A subscription that the vendor no longer knows has ended, too.
    vendor.answers({ status: 404, body: {} });
    await source.release!(record, AbortSignal.timeout(5000));
  },
);

test("a delivery with a number that is too large says so", async () => {
  const { app, id } = webhooks
    .map(({ examples, id }) => ({ app: examples.app, id }))
    .find(({ app }) => app.id === "github")!;
  const receive = createAppDeliveries({
    catalogue: { find: () => Promise.resolve(app) },
    findTrigger: () =>
      Promise.resolve({ ownerId: "user_1", settings: { app: app.id, trigger: id } } as TriggerRecord<"app">),
    openSecret: () => "hush",
    store: () => Promise.reject(new Error("stored")),
    now: Date.now,
  });
  const rawBody = Buffer.from('{"id": 1e400}');
  const signature = `sha256=${createHmac("sha256", "hush").update(rawBody).digest("hex")}`;
  const headers = { "x-hub-signature-256": signature };
  await expect(
    receive("trg_1", { method: "POST", url: "https://baton.example.com/", headers, query: {}, rawBody }),
  ).rejects.toMatchObject({
    code: "invalid_json",
    message: expect.stringContaining("a number that is too large"),
  });
});
