import { expect, test } from "vitest";
import { shareApp } from "../../../test/support/shared-app.ts";
import { foreach, http, inTurn, type Loose, reach, run, serve } from "../testing/workbench.ts";

const { ada } = await shareApp(["ada"]);

async function attempts(taskId: string, stepId: string, query = ""): Promise<Loose> {
  const { status, body } = await ada.get(
    `/api/tasks/${taskId}/steps/${encodeURIComponent(stepId)}/attempts${query}`,
  );
  expect(status).toBe(200);
  return body;
}

test("each attempt of a step has its input, output, error and response, newest first", async () => {
  const other = await serve(inTurn(503, { n: 2 }));
  const task = await run(ada, [http("a", other.url, { maxRetries: 1 })]);
  const body = await attempts(task.id, "a");
  expect(body).toMatchObject({
    ok: true,
    nextCursor: null,
    attempts: [
      {
        attempt: 2,
        status: "completed",
        input: { url: other.url },
        output: { n: 2 },
        error: null,
        retryAt: null,
        response: { status: 200 },
      },
      {
        attempt: 1,
        status: "failed",
        input: { url: other.url },
        output: null,
        error: { code: "http_error" },
      },
    ],
  });
  const [second, first] = body["attempts"];
  expect(first.retryAt > first.completedAt && first.retryAt <= second.completedAt).toBe(true);
});

test("attempts before a rerun stay in the list, which is paginated", async () => {
  const other = await serve(inTurn(500, 500, "fine"));
  const task = await run(ada, [http("a", other.url)]);
  await ada.post(`/api/tasks/${task.id}/rerun-from-failed`);
  await reach(ada, task.id, "failed");
  await expect.poll(async () => (await attempts(task.id, "a"))["attempts"].length).toBe(2);
  await ada.post(`/api/tasks/${task.id}/rerun-from-failed`);
  await reach(ada, task.id, "completed");
  const first = await attempts(task.id, "a", "?limit=2");
  expect(first["attempts"].map((one: Loose) => one["status"])).toEqual(["completed", "failed"]);
  const rest = await attempts(task.id, "a", `?limit=2&cursor=${first["nextCursor"]}`);
  expect(rest).toMatchObject({ attempts: [{ status: "failed" }], nextCursor: null });
});

test("an iteration is addressed by its path, and a large output is shortened", async () => {
  const long = "x".repeat(30_000);
  const task = await run(ada, [
    foreach("each", [1, 2], [{ stepId: "one", type: "transform", template: "{{item}}" }]),
    { stepId: "long", type: "transform", template: long },
  ]);
  expect(await attempts(task.id, "each[1]/one")).toMatchObject({ attempts: [{ output: 2 }] });
  expect((await attempts(task.id, "long"))["attempts"][0].output).toMatchObject({
    truncated: true,
    characters: 30_002,
  });
  expect((await attempts(task.id, "nobody"))["attempts"]).toEqual([]);
});

test("a secret is redacted in every attempt", async () => {
  await ada.put("/api/variables/word", { value: "swordfish-9", secret: true });
  const other = await serve(inTurn(503, { said: "swordfish-9" }));
  const task = await run(ada, [
    http("a", other.url, { maxRetries: 1, headers: { "x-word": "{{secrets.word}}" } }),
  ]);
  const text = JSON.stringify(await attempts(task.id, "a"));
  expect(text).toContain("•••");
  expect(text).not.toContain("swordfish");
});
