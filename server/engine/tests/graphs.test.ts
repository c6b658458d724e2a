import { describe, expect, test } from "vitest";
import { edge, transformStep as value } from "../../../test/support/graphs.ts";
import { shareApp } from "../../../test/support/shared-app.ts";
import { registerUser } from "../../../test/support/test-app.ts";
import {
  foreach,
  http,
  inTurn,
  reach,
  run,
  save,
  serve,
  start,
  statuses,
  stepOf,
  sub,
} from "../testing/workbench.ts";

const { app, ada } = await shareApp(["ada"]);

describe("branches", () => {
  test("run in parallel: each call gets a response only when both have arrived", async () => {
    const waiting: (() => void)[] = [];
    const other = await serve((request, response) => {
      waiting.push(() =>
        response.setHeader("content-type", "application/json").end(JSON.stringify(request.url)),
      );
      if (waiting.length === 2) for (const answer of waiting) answer();
    });
    const steps = [
      http("a", `${other.url}/a`),
      http("b", `${other.url}/b`),
      value("end", "{{steps.a.output}}{{steps.b.output}}"),
    ];
    const task = await run(ada, steps, [edge("a", "end"), edge("b", "end")]);
    expect(task).toMatchObject({ status: "completed", result: { output: "/a/b" } });
  });

  test("that end at the same time are all in the result", async () => {
    const ids = ["a", "b", "c", "d"];
    const task = await run(
      ada,
      [value("s"), ...ids.map((id) => value(id))],
      ids.map((id) => edge("s", id)),
    );
    expect(task.result).toEqual({ output: null, outputs: { a: "a", b: "b", c: "c", d: "d" } });
  });

  test("are joined on the first edge if configured, and the step runs once", async () => {
    const gate: { open?: () => void } = {};
    const other = await serve((request, response) => {
      if (request.url === "/quick") response.end('"q"');
      else gate.open = () => response.end('"s"');
    });
    const steps = [
      http("quick", `${other.url}/quick`),
      http("slow", `${other.url}/slow`),
      { ...value("join"), join: "any" },
      http("after", `${other.url}/quick`),
    ];
    const edges = [edge("quick", "join"), edge("slow", "join"), edge("join", "after")];
    const taskId = await start(ada, await save(ada, steps, edges));
    await expect.poll(() => other.calls.filter((call) => call === "/quick").length).toBe(2);
    gate.open!();
    const task = await reach(ada, taskId, "completed");
    expect(task.stepResults).toHaveLength(4);
    expect(other.calls).toHaveLength(3);
  });

  test("of a switch: the matching case or the default runs, and the others are skipped", async () => {
    const steps = [
      { stepId: "s", type: "switch", value: "{{input.kind}}" },
      value("one"),
      value("two"),
      value("other"),
    ];
    const edges = [
      edge("s", "one", { caseValue: "1" }),
      edge("s", "two", { caseValue: "2" }),
      edge("s", "other"),
    ];
    expect((await run(ada, steps, edges, { kind: 2 })).result.output).toBe("two");
    const task = await run(ada, steps, edges, { kind: "unknown" });
    expect(statuses(task)).toEqual({ s: "completed", one: "skipped", two: "skipped", other: "completed" });
  });

  test("that fail without a handler end the run after steps in flight have ended", async () => {
    const other = await serve((request, response) => {
      response.writeHead(request.url === "/bad" ? 500 : 200).end("{}");
    });
    const steps = [http("bad", `${other.url}/bad`), http("good", `${other.url}/good`), value("after")];
    const task = await run(ada, steps, [edge("good", "after"), edge("bad", "after")]);
    expect(task).toMatchObject({ status: "failed", error: { stepId: "bad" }, result: null });
    expect(stepOf(task, "after")).toBeUndefined();
  });
});

describe("large graphs", () => {
  test("a chain of a thousand steps", async () => {
    const steps = Array.from({ length: 1000 }, (_, i) =>
      value(`s${i}`, i === 0 ? 0 : `{{steps.s${i - 1}.output}}`),
    );
    const task = await run(
      ada,
      steps,
      steps.slice(1).map((_, i) => edge(`s${i}`, `s${i + 1}`)),
    );
    expect(task).toMatchObject({ status: "completed", result: { output: 0 } });
    expect(task.stepResults).toHaveLength(1000);
  });

  test("a fan-out of two hundred and their join", async () => {
    const ids = Array.from({ length: 200 }, (_, i) => `w${i}`);
    const steps = [
      value("s"),
      ...ids.map((id) => value(id, 1)),
      value(
        "end",
        ids.map((id) => `{{steps.${id}.output}}`),
      ),
    ];
    const task = await run(
      ada,
      steps,
      ids.flatMap((id) => [edge("s", id), edge(id, "end")]),
    );
    expect(task.result.output).toEqual(ids.map(() => 1));
  });

  test("a loop of ten thousand items, in order", async () => {
    const items = Array.from({ length: 10_000 }, (_, i) => i);
    const task = await run(
      ada,
      [foreach("each", "{{input.items}}", [value("x", "{{item}}")], { concurrency: 100 })],
      [],
      { items },
    );
    expect(task.status).toBe("completed");
    expect(task.result.output).toEqual(items);
    expect(task.stepResults).toHaveLength(1);
  });

  test("a loop never runs more iterations at once than its limit", async () => {
    let inFlight = 0;
    let most = 0;
    const other = await serve((_request, response) => {
      most = Math.max(most, ++inFlight);
      setImmediate(() => {
        inFlight -= 1;
        response.end("{}");
      });
    });
    const items = Array.from({ length: 40 }, (_, i) => i);
    expect(
      (await run(ada, [foreach("each", items, [http("x", other.url)], { concurrency: 3 })])).status,
    ).toBe("completed");
    expect(most).toBeLessThanOrEqual(3);
    expect(other.calls).toHaveLength(40);
  });

  test("five megabytes of output are stored as a blob, whole in the task and absent from lists", async () => {
    const big = "x".repeat(5 * 1024 * 1024);
    const other = await serve((_request, response) =>
      response.setHeader("content-type", "application/json").end(JSON.stringify(big)),
    );
    const inner = await save(ada, [http("get", other.url)]);
    const task = await run(ada, [sub("call", inner), value("end", "{{steps.call.output}}")]);
    expect(task.status).toBe("completed");
    expect(task.result.output.length).toBe(big.length);
    expect(stepOf(task, "call").output.length).toBe(big.length);
    for (const url of ["/api/tasks?limit=10", `/api/tasks/${task.id}/events`]) {
      expect((await ada.get(url)).text.length).toBeLessThan(100_000);
    }
    const again = await ada.post(`/api/tasks/${task.id}/replay`, { fromStepId: "end" });
    expect((await reach(ada, again.body.taskId, "completed")).result.output.length).toBe(big.length);
  });
});

describe("workflows that call workflows", () => {
  test("may be nested twenty levels deep and no deeper", async () => {
    let inner = await save(ada, [value("bottom", "here")]);
    for (let depth = 0; depth < 20; depth += 1) inner = await save(ada, [sub("call", inner)]);
    const task = await reach(ada, await start(ada, inner), "completed");
    expect(task.result.output).toBe("here");
    const tooDeep = await save(ada, [sub("call", inner)]);
    expect((await reach(ada, await start(ada, tooDeep), "failed")).error.code).toBe("depth_exceeded");
  });

  test("stop at that limit when a workflow calls itself", async () => {
    const workflowId = await save(ada, [value("a")]);
    await ada.put(`/api/workflows/${workflowId}`, {
      metadata: { steps: [sub("again", workflowId)], edges: [] },
    });
    const { error } = await reach(ada, await start(ada, workflowId), "failed");
    expect(error.code).toBe("depth_exceeded");
    // The message appears once, not once per level.
    expect(error.message.match(/sub-workflow failed/g)).toHaveLength(1);
    expect((await ada.get(`/api/tasks?workflowId=${workflowId}`)).body.tasks).toHaveLength(21);
  });

  test("retry the sub-workflow at its failed step", async () => {
    const other = await serve(inTurn("one", 500, "two"));
    const inner = await save(ada, [http("a", `${other.url}/a`), http("b", `${other.url}/b`)]);
    const task = await run(ada, [sub("call", inner, { maxRetries: 1 })]);
    expect(task).toMatchObject({ status: "completed", result: { output: "two" } });
    expect(other.calls).toEqual(["/a", "/b", "/b"]);
  });

  test("cannot call a workflow of another user", async () => {
    const stranger = await registerUser(app);
    const theirs = await save(stranger, [value("a")]);
    const task = await run(ada, [sub("call", theirs)]);
    expect(task).toMatchObject({ status: "failed", error: { code: "workflow_not_found" } });
  });
});

describe("secrets", () => {
  test("[S20] appear nowhere, in no encoding, also when a server echoes them", async () => {
    const secret = "s3cr3t/value+with=signs";
    await ada.put("/api/variables/token", { value: secret, secret: true });
    const seen: string[] = [];
    const other = await serve((request, response) => {
      seen.push(String(request.headers["authorization"]));
      response.writeHead(request.url === "/bad" ? 400 : 200, { "content-type": "application/json" });
      response.end(
        JSON.stringify({
          plain: secret,
          base64: Buffer.from(secret).toString("base64"),
          url: encodeURIComponent(secret),
        }),
      );
    });
    const inner = await save(ada, [value("echo", "{{input.token}}")]);
    const headers = { authorization: "Bearer {{secrets.token}}" };
    const task = await run(ada, [
      http("call", other.url, { headers }),
      sub("inner", inner, { input: { token: "{{secrets.token}}" } }),
      http("bad", `${other.url}/bad`, { headers, onError: "continue" }),
      value("end", "{{steps.call.output}}"),
    ]);
    expect(task.status).toBe("completed");
    expect(seen[0]).toBe(`Bearer ${secret}`);
    const [child] = (await ada.get(`/api/tasks?workflowId=${inner}`)).body.tasks;
    const shown = await Promise.all(
      [`/api/tasks/${task.id}`, `/api/tasks/${child.id}`, `/api/tasks/${task.id}/events`, "/api/tasks"].map(
        async (url) => (await ada.get(url)).text,
      ),
    );
    for (const form of [secret, Buffer.from(secret).toString("base64"), encodeURIComponent(secret)]) {
      for (const text of shown) expect(text).not.toContain(form);
    }
    expect(shown[0]).toContain("•••");
  });
});
