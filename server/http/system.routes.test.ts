import { expect, test } from "vitest";
import { createMetrics } from "../telemetry/metrics.ts";
import { createTestServer } from "./testing/create-test-server.ts";
import { systemRoutes } from "./system.routes.ts";

test("while a store is unavailable the service is healthy but not ready, and the response hides the cause", async () => {
  const metrics = createMetrics();
  const app = createTestServer({ metrics });
  systemRoutes(app, { metrics, probe: () => Promise.reject(new Error("disk on fire at /var/data")) });
  expect((await app.inject("/health")).statusCode).toBe(200);
  const ready = await app.inject("/ready");
  expect(ready.statusCode).toBe(503);
  expect(ready.json()).toMatchObject({ ok: false, error: "unavailable" });
  expect(ready.body).not.toContain("fire");
});
