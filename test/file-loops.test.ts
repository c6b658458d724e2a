import { expect, test } from "vitest";
import { resultOf, runSteps } from "./support/run-steps.ts";
import { createTestApp, registerUser, useTestApp, useTemporaryFolder } from "./support/test-app.ts";

const rows = (count: number) =>
  Array.from({ length: count }, (_, n) => ({ id: String(n), name: `Row ${n}` }));
const make = (input: unknown, format = "csv") => ({
  stepId: "make",
  type: "convert",
  operation: "write",
  format,
  input,
});
const count = {
  stepId: "count",
  type: "transform",
  expression: "{ 'rows': $count(item), 'first': item[0].id }",
};

test("a loop over a file gets its rows in batches, in order", async () => {
  const app = await useTestApp();
  const user = await registerUser(app, "loops");
  const task = await runSteps(
    user,
    [
      make("{{input.rows}}"),
      { stepId: "each", type: "foreach", items: "{{steps.make.output}}", batchSize: 1000, steps: [count] },
    ],
    { rows: rows(2500) },
  );
  expect(resultOf(task, "each").output).toEqual([
    { rows: 1000, first: "0" },
    { rows: 1000, first: "1000" },
    { rows: 500, first: "2000" },
  ]);
  const list = await user.get(`/api/tasks/${task.id}/steps/each/items`);
  expect(list.body.items).toHaveLength(3);
});

test("without a batch size each row is an item, and lists have batches, too", async () => {
  const app = await useTestApp();
  const user = await registerUser(app, "loops");
  const name = { stepId: "name", type: "transform", template: "{{index}}: {{item.name}}" };
  const task = await runSteps(
    user,
    [
      make("{{input.rows}}", "jsonl"),
      { stepId: "each", type: "foreach", items: "{{steps.make.output}}", steps: [name] },
      { stepId: "list", type: "foreach", items: "{{input.rows}}", batchSize: 2, steps: [count] },
    ],
    { rows: rows(3) },
  );
  expect(resultOf(task, "each").output).toEqual(["0: Row 0", "1: Row 1", "2: Row 2"]);
  expect(resultOf(task, "list").output).toEqual([
    { rows: 2, first: "0" },
    { rows: 1, first: "2" },
  ]);
});

test("a file that is no table fails the loop, and a reference of another user opens nothing", async () => {
  const app = await useTestApp();
  const user = await registerUser(app, "loops");
  const other = await registerUser(app, "other");
  const each = {
    stepId: "each",
    type: "foreach",
    items: "{{steps.make.output}}",
    batchSize: 2,
    steps: [count],
  };
  const zipped = await runSteps(user, [make([{ name: "a", content: "x" }], "zip"), each]);
  expect(resultOf(zipped, "each").error.code).toBe("unreadable_file");
  const file = resultOf(zipped, "make").output;
  const stolen = await runSteps(other, [{ ...each, items: "{{input.file}}" }], { file });
  expect(resultOf(stolen, "each").error.code).toBe("forbidden");
});

test("after a restart a loop reads the rows of the iterations that are left", async () => {
  const dataDir = await useTemporaryFolder();
  const first = await createTestApp({}, { dataDir });
  const user = await registerUser(first, "loops");
  const task = await runSteps(
    user,
    [
      make("{{input.rows}}"),
      {
        stepId: "each",
        type: "foreach",
        items: "{{steps.make.output}}",
        batchSize: 2,
        concurrency: 1,
        steps: [
          { stepId: "ask", type: "approval", message: "Go on?" },
          { ...count, expression: "item.id" },
        ],
        edges: [{ id: "1", source: "ask", target: "count" }],
      },
    ],
    { rows: rows(5) },
  );
  expect(task.status).toBe("waiting_approval");
  expect((await user.post(`/api/tasks/${task.id}/resume`, {})).status).toBe(200);
  await expect
    .poll(async () => (await user.get(`/api/tasks/${task.id}/steps/each/items`)).body.items[1].status)
    .toBe("waiting_approval");
  await first.stop();
  const second = await useTestApp({}, { dataDir });
  const again = await second.http.inject({
    url: `/api/tasks/${task.id}`,
    headers: { authorization: `Bearer ${user.token}` },
  });
  expect(again.json().task.status).toBe("waiting_approval");
  for (const left of [1, 2]) {
    await expect
      .poll(async () => (await get(`/api/tasks/${task.id}/steps/each/items`)).items[left].status)
      .toBe("waiting_approval");
    await second.http.inject({
      method: "POST",
      url: `/api/tasks/${task.id}/resume`,
      headers: { authorization: `Bearer ${user.token}`, "content-type": "application/json" },
      payload: "{}",
    });
  }
  await expect.poll(async () => (await get(`/api/tasks/${task.id}`)).task.status).toBe("completed");
  const { task: done } = await get(`/api/tasks/${task.id}`);
  expect(resultOf(done, "each").output).toEqual([["0", "1"], ["2", "3"], "4"]);

  async function get(url: string) {
    const response = await second.http.inject({ url, headers: { authorization: `Bearer ${user.token}` } });
    return response.json();
  }
});
