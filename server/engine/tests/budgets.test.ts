import { describe, expect, test } from "vitest";
import type { Step } from "../../../contract/graph.ts";
import { edge, transformStep as value } from "../../../test/support/graphs.ts";
import { shareApp } from "../../../test/support/shared-app.ts";
import { foreach, http, run, save, serve, statuses, stepOf } from "../testing/workbench.ts";

const MAX_VALUE = 100_000;
const { ada } = await shareApp(["ada"], {
  MAX_VALUE_BYTES: String(MAX_VALUE),
  MAX_TASK_OUTPUT_BYTES: String(4 * MAX_VALUE),
  MAX_JOURNAL_ENTRIES: "100",
  MAX_SECRET_BYTES: "3000",
});

const tooLarge = (setting: string) => ({
  code: "output_too_large",
  message: expect.stringContaining(setting),
  details: { limit: setting },
});
/** As counted in the metrics. */
async function refusalsOf(limit: string): Promise<number> {
  const { text: metrics } = await ada.get("/metrics");
  return Number(
    new RegExp(`^baton_limit_refusals_total{limit="${limit}"} (\\d+)$`, "m").exec(metrics)?.[1] ?? 0,
  );
}
const text = (characters: number): string => "x".repeat(characters);
const tenTimes = (reference: string): string[] => Array.from({ length: 10 }, () => reference);

/** Each step uses the output of the one before. */
function chain(first: Step, ...templates: unknown[]): Step[] {
  return [
    first,
    ...templates.map((template, index) =>
      value(
        `s${index + 1}`,
        JSON.parse(JSON.stringify(template).replaceAll("PREVIOUS", `{{steps.s${index}.output}}`)),
      ),
    ),
  ];
}

describe("a value over MAX_VALUE_BYTES", () => {
  test("that lists the previous output ten times, again and again, fails its step", async () => {
    const lists = Array.from({ length: 40 }, () => tenTimes("PREVIOUS"));
    const task = await run(ada, chain(value("s0", "leaf"), ...lists));
    expect(task).toMatchObject({ status: "failed", error: tooLarge("MAX_VALUE_BYTES") });
    // 16 bytes for each of 1,111 values fit, those of 11,111 do not.
    expect(stepOf(task, "s3").status).toBe("completed");
    expect(stepOf(task, "s4")).toMatchObject({ status: "failed", attempts: 1, output: null });
  });

  test("in an object or as text fails its step, too", async () => {
    const objects = Array.from({ length: 40 }, () => ({ a: "PREVIOUS", b: "PREVIOUS" }));
    expect((await run(ada, chain(value("s0", "leaf"), ...objects))).error).toMatchObject(
      tooLarge("MAX_VALUE_BYTES"),
    );
    const texts = Array.from({ length: 40 }, () => "PREVIOUS and PREVIOUS");
    expect((await run(ada, chain(value("s0", "leaf"), ...texts))).error).toMatchObject(
      tooLarge("MAX_VALUE_BYTES"),
    );
  });

  test("is not retried, and a branch for failures handles it", async () => {
    const steps = [
      value("big", tenTimes("{{input}}")),
      { ...value("list", tenTimes("{{steps.big.output}}")), maxRetries: 3, onError: "continue" } as Step,
      value("after", "{{steps.list.error.code}}"),
    ];
    const task = await run(ada, steps, [edge("big", "list"), edge("list", "after")], text(9000));
    expect(stepOf(task, "list")).toMatchObject({ status: "failed", attempts: 1 });
    expect(task.result.output).toBe("output_too_large");
  });

  test("is refused before the step does anything with it", async () => {
    const other = await serve((_request, response) => response.end());
    const steps = [
      value("big", "{{input}}"),
      http("send", other.url, { method: "POST", body: tenTimes("{{steps.big.output}}") }),
    ];
    const task = await run(ada, steps, [], text(20_000));
    expect(stepOf(task, "send").error).toMatchObject(tooLarge("MAX_VALUE_BYTES"));
    expect(other.calls).toEqual([]);
  });

  test("from another service fails its step", async () => {
    const other = await serve((_request, response) => response.end(text(MAX_VALUE + 1)));
    const task = await run(ada, [http("fetch", other.url)]);
    expect(stepOf(task, "fetch")).toMatchObject({ status: "failed", error: tooLarge("MAX_VALUE_BYTES") });
  });

  test("counts a list of many small values by their number", async () => {
    const other = await serve((_request, response) => {
      response.setHeader("content-type", "application/json");
      response.end(`[${"{},".repeat(10_000)}{}]`);
    });
    const task = await run(ada, [http("fetch", other.url)]);
    expect(stepOf(task, "fetch").error).toMatchObject(tooLarge("MAX_VALUE_BYTES"));
  });

  test("nested too deeply fails its step", async () => {
    const wrapped: unknown = JSON.parse("[".repeat(190) + '"PREVIOUS"' + "]".repeat(190));
    const wraps = Array.from({ length: 6 }, () => wrapped);
    const { error } = await run(ada, chain(value("s0", "leaf"), ...wraps));
    expect(error).toMatchObject({
      code: "output_too_large",
      message: expect.stringContaining("nested deeper"),
    });
  });

  test("that an expression would receive fails its step", async () => {
    const steps = [
      value("a", text(40_000)),
      value("b", text(40_000)),
      value("c", text(40_000)),
      {
        stepId: "sum",
        type: "transform",
        expression: "$length(steps.a.output & steps.b.output & steps.c.output)",
      },
    ];
    const length = "{{= steps.a.output.length + steps.b.output.length + steps.c.output.length }}";
    for (const sum of [steps[3]!, value("sum", length)]) {
      const task = await run(ada, [...steps.slice(0, 3), sum]);
      expect(stepOf(task, "sum")).toMatchObject({ status: "failed", error: tooLarge("MAX_VALUE_BYTES") });
    }
  });

  test("at the limit passes", async () => {
    const task = await run(ada, [value("a", "{{input}}")], [], text(MAX_VALUE - 2));
    expect(task.status).toBe("completed");
    expect(stepOf(task, "a").output).toHaveLength(MAX_VALUE - 2);
  });
});

describe("the result of a task", () => {
  test("refers to outputs that do not fit into it", async () => {
    const task = await run(ada, [value("start", "{{input}}"), value("a/b", "{{input}}")], [], text(60_000));
    expect(task.result.output).toHaveLength(60_000);
    expect(task.result.outputs["a/b"]).toEqual({
      truncated: true,
      bytes: 60_002,
      url: `/api/tasks/${task.id}/steps/a%2Fb/output`,
    });
  });
});

test("a text of control characters counts as it is stored: six characters each", async () => {
  const { url } = await serve((_request, response) => {
    response.writeHead(200, { "content-type": "text/plain" }).end("\u0001".repeat(MAX_VALUE / 5));
  });
  expect((await run(ada, [http("get", url)])).error).toMatchObject(tooLarge("MAX_VALUE_BYTES"));
});

test("a partial run that would take over too many outputs is 413 and names the limit", async () => {
  const steps = [...["a", "b", "c"].map((id) => value(id, "{{input}}")), value("last", "{{steps.a.output}}")];
  const task = await run(ada, steps, [], text(40_000));
  expect(task.status).toBe("completed");
  const url = `/api/workflows/${task.workflowId}/run-partial`;
  const before = await refusalsOf("value_bytes");
  const refused = await ada.post(url, { stepIds: ["last"], fromTaskId: task.id });
  expect([refused.status, refused.body.error, refused.body.details]).toEqual([
    413,
    "payload_too_large",
    { limit: "MAX_VALUE_BYTES" },
  ]);
  expect(await refusalsOf("value_bytes")).toBe(before + 1);
  expect((await ada.post(url, { stepIds: ["c", "last"], fromTaskId: task.id })).status).toBe(200);
});

describe("the outputs of a task over MAX_TASK_OUTPUT_BYTES", () => {
  const parallel = Array.from({ length: 12 }, (_, index) => value(`p${index}`, ["{{steps.start.output}}"]));
  const steps = [value("start", "{{input}}"), ...parallel];
  const edges = parallel.map(({ stepId }) => edge("start", stepId));

  test("fail the step that would exceed it, and what was recorded stays", async () => {
    const task = await run(ada, steps, edges, text(50_000));
    expect(task).toMatchObject({ status: "failed", error: tooLarge("MAX_TASK_OUTPUT_BYTES") });
    const completed = Object.values(statuses(task)).filter((status) => status === "completed");
    // Each step counts its input and its output: 8 × 50,000 characters, less what surrounds them.
    expect(completed).toHaveLength(3);
  });

  test("are counted again when the task resumes", async () => {
    const rounds = Array.from({ length: 3 }, (_, index): Step[] => [
      value(`v${index}`, "{{input}}"),
      { stepId: `wait${index}`, type: "delay", seconds: 0.001 },
    ]).flat();
    const task = await run(ada, [...rounds, value("last", "{{input}}")], [], text(60_000));
    expect(statuses(task)).toMatchObject({ v2: "completed", last: "failed" });
    expect(task.error).toMatchObject(tooLarge("MAX_TASK_OUTPUT_BYTES"));
  });
});

describe("a foreach", () => {
  test("whose list of outputs would be too large fails before it loads them", async () => {
    const task = await run(
      ada,
      [foreach("each", [1, 2, 3], [value("copy", "{{input}}")], { concurrency: 1 })],
      [],
      text(40_000),
    );
    expect(stepOf(task, "each")).toMatchObject({
      status: "failed",
      error: { ...tooLarge("MAX_VALUE_BYTES"), message: expect.stringContaining("list of outputs") },
    });
  });

  test("over more items than the journal may have entries fails before its first iteration", async () => {
    const other = await serve((_request, response) => response.end());
    const items = Array.from({ length: 60 }, (_, index) => index);
    const inner = [http("first", other.url), http("second", other.url)];
    const task = await run(ada, [foreach("each", items, inner)]);
    expect(task.error).toMatchObject({
      code: "limit_reached",
      message: expect.stringContaining("MAX_JOURNAL_ENTRIES"),
      details: { limit: "MAX_JOURNAL_ENTRIES" },
    });
    expect(other.calls).toEqual([]);
  });

  test("over a sub-workflow counts the outputs of its iterations", async () => {
    const child = await save(ada, [value("copy", "{{input.item}}")]);
    const items = Array.from({ length: 9 }, () => text(9000));
    const large = Array.from({ length: 9 }, () => text(60_000));
    const each = (list: string[]) => [
      value("list", "x"),
      { stepId: "each", type: "foreach", items: list, workflowId: child, concurrency: 1 } as Step,
    ];
    expect((await run(ada, each(items))).status).toBe("completed");
    expect((await run(ada, each(large))).error).toMatchObject(tooLarge("MAX_TASK_OUTPUT_BYTES"));
  });
});

test("a workflow with more secrets than MAX_SECRET_BYTES fails before its first step", async () => {
  const { url, calls } = await serve((_request, response) => response.end("{}"));
  const names = ["one", "two", "three"];
  for (const name of names)
    await ada.put(`/api/variables/${name}`, { value: `value of ${name}`, secret: true });
  const header = (count: number) =>
    names
      .slice(0, count)
      .map((name) => `{{secrets.${name}}}`)
      .join("-");
  const allowed = await run(ada, [http("call", url, { headers: { "x-token": header(2) } })]);
  expect(allowed).toMatchObject({ status: "completed" });
  const refused = await run(ada, [http("call", url, { headers: { "x-token": header(3) } })]);
  expect(refused).toMatchObject({
    status: "failed",
    error: { code: "limit_reached", details: { limit: "MAX_SECRET_BYTES" } },
  });
  expect(calls).toHaveLength(1);
});
