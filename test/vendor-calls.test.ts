import { expect, test } from "vitest";
import { shareApp } from "./support/shared-app.ts";
import { startVendor, sendJson } from "./support/vendor.ts";

const { alice, bob, carol } = await shareApp(["alice", "bob", "carol"]);

test.each([
  ["/api/apps/none/options", 120],
  ["/api/connections/test", 60],
])("POST %s is limited to %i calls per minute of a user", async (path, perMinute) => {
  for (let calls = 1; calls <= perMinute; calls += 1) expect((await carol.post(path, {})).status).toBe(400);
  const refused = await carol.post(path, {});
  expect([refused.status, refused.body.error]).toEqual([429, "rate_limited"]);
});

test("tests of stored connections and authorizations count with the other tests", async () => {
  expect((await carol.post("/api/connections/conn_1/test", {})).status).toBe(429);
  expect((await carol.post("/api/connections/conn_1/authorize", {})).status).toBe(429);
});

test("two tests of a user run at once, and another user does not wait for them", async () => {
  const open: (() => void)[] = [];
  const vendor = await startVendor((_request, response) => {
    open.push(() => sendJson(response, 200, {}));
  });
  const unsaved = (token: string) => ({
    name: "Vendor",
    kind: "bearer",
    hosts: [vendor.host],
    settings: { testUrl: vendor.url },
    secrets: { token },
  });
  const tests = Array.from({ length: 3 }, () => alice.post("/api/connections/test", unsaved("alice-1")));
  tests.push(bob.post("/api/connections/test", unsaved("bob-1234")));
  await expect.poll(() => open.length).toBeGreaterThanOrEqual(3);
  const sent = vendor.requests.map(({ headers }) => headers.authorization);
  expect(sent.toSorted()).toEqual(["Bearer alice-1", "Bearer alice-1", "Bearer bob-1234"]);
  for (const answer of open.splice(0)) answer();
  await expect.poll(() => open.length).toBe(1);
  open[0]!();
  for (const { body } of await Promise.all(tests)) expect(body).toMatchObject({ status: "connected" });
});
