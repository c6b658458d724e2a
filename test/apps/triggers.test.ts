import { afterAll, expect, test } from "vitest";
import { createAppSource } from "../../server/apps/app-source.ts";
import type { TriggerRecord } from "../../server/triggers/trigger.sql.ts";
import { allExamples } from "./all.ts";
import { checkRequest } from "./support/check-request.ts";
import { connectionOf, openFakeVendor } from "./support/fake-vendor.ts";

const vendor = await openFakeVendor();
afterAll(vendor.close);

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
