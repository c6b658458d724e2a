import { expect, test } from "vitest";
import { LIMITS } from "../contract/limits.ts";
import { shareApp } from "./support/shared-app.ts";

const { app, alice } = await shareApp(["alice"], { QUEUED_TASKS_PER_OWNER: "123" });

test("GET /api/limits lists every limit with its setting and the use of the caller", async () => {
  const { status, body } = await alice.get("/api/limits");
  expect(status).toBe(200);
  expect(body.limits.map(({ name }: { name: string }) => name)).toEqual(LIMITS.map(({ name }) => name));
  expect(body.limits).toContainEqual(
    expect.objectContaining({ name: "queued_tasks", setting: "QUEUED_TASKS_PER_OWNER", limit: 123 }),
  );
  expect((await app.anonymous.get("/api/limits")).status).toBe(401);
});
