import { expect, test } from "vitest";
import { edge, transformStep as value } from "./support/graphs.ts";
import { shareApp } from "./support/shared-app.ts";
import { type Loose, run, save, stepOf } from "../server/engine/testing/workbench.ts";

const MAX = 1_000_000;
const { alice, bob } = await shareApp(["alice", "bob"], { MAX_RESPONSE_BYTES: String(MAX) });

const text = (characters: number): string => "x".repeat(characters);
const sizeOf = (body: unknown): number => JSON.stringify(body).length;
const linkOf = (taskId: string, stepId: string) => ({
  truncated: true,
  bytes: expect.any(Number),
  url: `/api/tasks/${taskId}/steps/${stepId}/output`,
});

/** Steps with outputs of this many characters: those over 256 kB are in the blob store, the others in the row. */
const copies = (sizes: readonly number[]) => sizes.map((size, index) => value(`s${index}`, text(size)));

test("a task with more output than fits is answered with links, and each link has the whole output", async () => {
  const task = await run(alice, [...copies([300_000, 300_000, 300_000, 200_000, 200_000]), value("last", 1)]);
  expect(sizeOf(task)).toBeLessThan(MAX + 100_000);
  const outputs = task.stepResults.map(({ output }: Loose) => output);
  const links = outputs.filter((output: Loose) => output?.truncated === true);
  expect(links.length).toBeGreaterThan(0);
  for (const [index, { stepId }] of task.stepResults.entries()) {
    if (outputs[index]?.truncated !== true) continue;
    expect(outputs[index]).toEqual(linkOf(task.id, stepId));
    const whole = await alice.get(outputs[index].url);
    expect([whole.status, sizeOf(whole.body)]).toEqual([200, outputs[index].bytes]);
  }
});

test("rows that together are too large are not loaded: the newest entries are answered, older ones as links", async () => {
  const steps = Array.from({ length: 20 }, (_, index) => value(`s${index}`, "{{input}}"));
  const task = await run(alice, steps, [], text(200_000));
  expect(sizeOf(task)).toBeLessThan(MAX + 200_000);
  expect(stepOf(task, "s0")).toMatchObject({
    status: "completed",
    output: linkOf(task.id, "s0"),
    input: { truncated: true, bytes: expect.any(Number) },
  });
  expect((await alice.get(`/api/tasks/${task.id}/steps/s0/output`)).body).toBe(text(200_000));
});

test("a result that is too large is answered as a link to the result", async () => {
  const task = await run(alice, [value("a", text(800_000))]);
  expect(task.result).toEqual({
    output: { truncated: true, bytes: expect.any(Number), url: `/api/tasks/${task.id}/result` },
    outputs: {},
  });
  const { body } = await alice.get(`/api/tasks/${task.id}/result`);
  expect(body).toEqual({ output: text(800_000), outputs: { a: text(800_000) } });
});

test("a caller that waits for a run gets its result whole", async () => {
  const workflowId = await save(alice, [value("a", text(800_000))]);
  const { body } = await alice.post(`/api/workflows/${workflowId}/run?wait=true`, {});
  expect(body.result.output).toBe(text(800_000));
});

test("the attempts of a step show the beginning of a large output", async () => {
  const task = await run(alice, [value("a", text(800_000))]);
  const { body } = await alice.get(`/api/tasks/${task.id}/steps/a/attempts`);
  expect(body.attempts[0].output).toEqual({
    truncated: true,
    characters: 800_002,
    begins: `"${text(999)}`,
  });
});

test("small outputs and results are read by the same routes", async () => {
  const steps = [value("a", { n: 1 }), value("b", "{{input.none}}")];
  const task = await run(alice, steps, [edge("a", "b")]);
  expect((await alice.get(`/api/tasks/${task.id}/steps/a/output`)).body).toEqual({ n: 1 });
  expect((await alice.get(`/api/tasks/${task.id}/steps/b/output`)).body).toBeNull();
  expect((await alice.get(`/api/tasks/${task.id}/result`)).body).toEqual({
    output: null,
    outputs: { b: null },
  });
  expect((await alice.get(`/api/tasks/${task.id}/steps/none/output`)).body).toBeNull();
  expect((await bob.get(`/api/tasks/${task.id}/steps/a/output`)).status).toBe(403);
  expect((await bob.get(`/api/tasks/${task.id}/result`)).status).toBe(403);
});
