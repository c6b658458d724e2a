import { expect, test } from "vitest";
import { bearer, createKey, publish } from "./support/endpoints.ts";
import { shareApp } from "./support/shared-app.ts";

const { app, alice } = await shareApp(["alice"], { RATE_LIMIT_ENDPOINT_PER_MINUTE: "2" });

const call = async (id: string, headers: Record<string, string> = {}) => {
  const {
    status,
    body,
    headers: answered,
  } = await app.anonymous.post(`/api/workflows/public/${id}`, {}, headers);
  return { status, error: body.error as string | undefined, retryAfter: Number(answered["retry-after"]) };
};

test("calls of one endpoint with one key are limited; another key and another endpoint are not affected", async () => {
  const [first, second] = [await publish(alice), await publish(alice)];
  const [key, otherKey] = [bearer((await createKey(alice)).rawKey), bearer((await createKey(alice)).rawKey)];
  expect([(await call(first.id, key)).status, (await call(first.id, key)).status]).toEqual([200, 200]);
  const refused = await call(first.id, key);
  expect([refused.status, refused.error]).toEqual([429, "rate_limited"]);
  expect(refused.retryAfter).toBeGreaterThan(0);
  expect([(await call(first.id, otherKey)).status, (await call(second.id, key)).status]).toEqual([200, 200]);
});

test("an endpoint without authentication counts addresses, so that invented keys do not help", async () => {
  const open = await publish(alice, { authentication: false });
  const statuses = [];
  for (const headers of [{}, bearer("invented-1"), bearer("invented-2")])
    statuses.push((await call(open.id, headers)).status);
  expect(statuses).toEqual([200, 200, 429]);
});
