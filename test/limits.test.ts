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
  // Those that say how much is used: the part that enforces a limit also reports it.
  const used = body.limits.filter((limit: { used: number | null }) => limit.used !== null);
  expect(used.map(({ name }: { name: string }) => name)).toEqual([
    "running_tasks",
    "queued_tasks",
    "expressions",
    "code",
    "database_connections",
    "model_calls",
    "embeddings",
    "streams",
    "emails",
    "triggers",
    "kept_events",
    "kept_event_bytes",
    "chat_messages",
    "store_values",
    "store_bytes",
    "upload_bytes",
    "owner_file_bytes",
    "document_pages",
  ]);
  expect((await app.anonymous.get("/api/limits")).status).toBe(401);
});
