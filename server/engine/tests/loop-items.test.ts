import { expect, test } from "vitest";
import { shareApp } from "../../../test/support/shared-app.ts";
import { foreach, http, type Loose, reach, run, save, serve, start, sub } from "../testing/workbench.ts";

const { ada, bob } = await shareApp(["ada", "bob"]);

async function items(taskId: string, stepId: string, query = ""): Promise<Loose> {
  const { status, body } = await ada.get(
    `/api/tasks/${taskId}/steps/${encodeURIComponent(stepId)}/items${query}`,
  );
  expect(status).toBe(200);
  return body;
}

const double = { stepId: "double", type: "transform", expression: "item * 2" };

test("items are listed in order with their steps, page by page", async () => {
  const list = Array.from({ length: 12 }, (_, index) => index);
  const task = await run(ada, [
    foreach("each", list, [double, { stepId: "show", type: "transform", template: "{{item}}" }]),
  ]);
  const first = await items(task.id, "each", "?limit=10");
  expect(first).toMatchObject({ ok: true, total: 12, counts: { completed: 12 } });
  expect(first.items.map((item: Loose) => [item.index, item.item, item.status])).toEqual(
    list.slice(0, 10).map((index) => [index, index, "completed"]),
  );
  expect(first.items[3].steps).toMatchObject([
    { stepId: "each[3]/double", type: "transform", status: "completed", attempts: 1, error: null },
    { stepId: "each[3]/show" },
  ]);
  const rest = await items(task.id, "each", `?limit=10&cursor=${first.nextCursor}`);
  expect(rest.items.map((item: Loose) => item.index)).toEqual([10, 11]);
  expect(rest.nextCursor).toBeNull();
});

test("a failed item, a retrying one and those that have not started are told apart", async () => {
  const other = await serve((request, response) => {
    const status = request.url === "/bad" ? 400 : request.url === "/busy" ? 503 : 200;
    response.writeHead(status, { "content-type": "application/json" }).end("{}");
  });
  const call = http("call", `${other.url}/{{item}}`, { maxRetries: 3, backoffMultiplier: 10 });
  const id = await start(
    ada,
    await save(ada, [foreach("each", ["ok", "busy", "ok"], [call], { concurrency: 1 })]),
  );
  await reach(ada, id, "waiting");
  const waiting = await items(id, "each");
  expect(waiting.counts).toEqual({ completed: 1, waiting: 1, pending: 1 });
  expect(waiting.items[1].steps[0]).toMatchObject({ status: "waiting", error: { code: "http_error" } });
  expect(waiting.items[1].steps[0].dueAt > waiting.items[1].steps[0].startedAt).toBe(true);
  const { items: problems } = await items(id, "each", "?problems=true");
  expect(problems.map((item: Loose) => item.index)).toEqual([1]);
  await ada.post(`/api/tasks/${id}/cancel`);

  const failed = await run(ada, [foreach("each", ["ok", "bad"], [http("call", `${other.url}/{{item}}`)])]);
  expect((await items(failed.id, "each")).counts).toEqual({ completed: 1, failed: 1 });
});

test("a failure that the item handles is no failure of the item", async () => {
  const other = await serve((_request, response) => void response.writeHead(500).end("{}"));
  const task = await run(ada, [foreach("each", [1], [http("call", other.url, { onError: "continue" })])]);
  expect(await items(task.id, "each")).toMatchObject({ counts: { completed: 1 } });
});

test("nested loops and loops over a workflow are read by their own path", async () => {
  const nested = await run(ada, [foreach("outer", [[1, 2], [3]], [foreach("inner", "{{item}}", [double])])]);
  const outer = await items(nested.id, "outer");
  expect(outer.items[0].steps.map((step: Loose) => step.stepId)).toEqual(["outer[0]/inner"]);
  const inner = await items(nested.id, "outer[0]/inner");
  expect(inner.items[1]).toMatchObject({ item: 2, steps: [{ stepId: "outer[0]/inner[1]/double" }] });

  const child = await save(ada, [double]);
  const calls = await run(ada, [{ ...sub("each", child), type: "foreach", items: [1, 2] }]);
  expect(await items(calls.id, "each")).toMatchObject({
    counts: { completed: 2 },
    items: [{ steps: [{ stepId: "each[0]", type: "workflow" }] }, { steps: [{ stepId: "each[1]" }] }],
  });
});

test("a step without items has none, and the items of another user are 403", async () => {
  const task = await run(ada, [double]);
  expect(await items(task.id, "double")).toMatchObject({ total: 0, items: [] });
  expect((await bob.get(`/api/tasks/${task.id}/steps/double/items`)).status).toBe(403);
});

test("the journal lists the events of a task in pages", async () => {
  const task = await run(ada, [foreach("each", [1, 2, 3], [double])]);
  const first = (await ada.get(`/api/tasks/${task.id}/journal?limit=3`)).body;
  expect(first.events.map((event: Loose) => [event.seq, event.event])).toEqual([
    [1, "items"],
    [2, "step"],
    [3, "step"],
  ]);
  const rest = (await ada.get(`/api/tasks/${task.id}/journal?cursor=${first.nextCursor}`)).body;
  expect(rest.events.at(-1)).toMatchObject({ event: "task", status: "completed" });
  expect(rest.nextCursor).toBeNull();
});

test("a task names the event that its stream continues after", async () => {
  const task = await run(ada, [double]);
  const { body } = await ada.get(`/api/tasks/${task.id}`);
  const { events } = (await ada.get(`/api/tasks/${task.id}/journal`)).body;
  expect(body.lastSeq).toBe(events.at(-1).seq);
});

test("items that are no list fail the loop with their kind", async () => {
  const failure = async (items: unknown) =>
    (await run(ada, [{ ...foreach("each", [], [double]), items: "{{input.rows}}" }], [], { rows: items }))
      .error;
  expect(await failure("a,b")).toMatchObject({
    code: "invalid_items",
    message: "The items of a foreach must be a list or a file, not text.",
  });
  expect((await failure(null)).message).toContain("not nothing. Check the path of the placeholder.");
});
