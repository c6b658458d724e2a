import { type IncomingMessage, request as httpRequest } from "node:http";
import { describe, expect, onTestFinished, test } from "vitest";
import { taskStreamEventSchema } from "../../../contract/task-events.ts";
import { transformStep as value } from "../../../test/support/graphs.ts";
import { shareApp } from "../../../test/support/shared-app.ts";
import { registerUser } from "../../../test/support/test-app.ts";
import { foreach, http, inTurn, type Loose, reach, run, save, serve, start } from "../testing/workbench.ts";

const { app, ada } = await shareApp(["ada"]);
const url = await app.listen();

const ask = { stepId: "ask", type: "approval", message: "?" };

function parse(text: string): Loose[] {
  return text
    .split("\n\n")
    .filter((block) => block.includes("data: "))
    .map((block) => ({
      id: /^id: (\d+)$/m.exec(block)?.[1],
      event: /^event: (\w+)$/m.exec(block)?.[1],
      ...(JSON.parse(/^data: (.*)$/m.exec(block)![1]!) as object),
    }));
}

/** A client of a live stream. */
async function follow(taskId: string, lastEventId?: string) {
  const stop = new AbortController();
  onTestFinished(() => stop.abort());
  const response = await fetch(`${url}/api/tasks/${taskId}/events`, {
    headers: {
      authorization: `Bearer ${ada.token}`,
      ...(lastEventId === undefined ? {} : { "last-event-id": lastEventId }),
    },
    signal: stop.signal,
  });
  expect(response.headers.get("content-type")).toContain("text/event-stream");
  expect(Number(response.headers.get("x-server-time"))).toBeGreaterThan(0);
  let text = "";
  const ended = (async () => {
    const decoder = new TextDecoder();
    for await (const part of response.body!) text += decoder.decode(part as Uint8Array, { stream: true });
  })().catch(() => undefined);
  return {
    stop: () => stop.abort(),
    ended,
    events: () => parse(text),
    ids: () => parse(text).flatMap(({ id }) => (id === undefined ? [] : [Number(id)])),
  };
}

const SLOW = { timeout: 20_000, interval: 1 };

describe("the events of a task", () => {
  test("come in order, and the stream ends after the end of the task", async () => {
    const task = await run(ada, [value("a"), value("b")]);
    const { text } = await ada.get(`/api/tasks/${task.id}/events`);
    expect(parse(text).map(({ id, event, stepId, status }) => [id, event, stepId, status])).toEqual([
      ["1", "step", "a", "completed"],
      ["2", "step", "b", "completed"],
      ["3", "task", undefined, "completed"],
    ]);
  });

  test("resume after the last one received, and the stream of a client that has all of them ends", async () => {
    const task = await run(ada, [value("a"), value("b")]);
    const resumed = await ada.get(`/api/tasks/${task.id}/events`, { "last-event-id": "1" });
    expect(parse(resumed.text).map(({ id }) => id)).toEqual(["2", "3"]);
    expect(parse((await ada.get(`/api/tasks/${task.id}/events?after=2`)).text)).toHaveLength(1);
    expect(parse((await ada.get(`/api/tasks/${task.id}/events`, { "last-event-id": "3" })).text)).toEqual([]);
    expect(
      parse((await ada.get(`/api/tasks/${task.id}/events`, { "last-event-id": "no number" })).text),
    ).toHaveLength(3);
  });

  test("are delivered live, including started steps, and a client that reconnects misses and repeats nothing", async () => {
    const items = Array.from({ length: 3000 }, (_, i) => i);
    const taskId = await start(
      ada,
      await save(ada, [value("a"), ask, foreach("each", items, [value("x", "{{item}}")]), value("end")]),
    );
    await reach(ada, taskId, "waiting_approval");
    const first = await follow(taskId);
    await expect.poll(() => first.ids(), SLOW).toEqual([1, 2]);
    await ada.post(`/api/tasks/${taskId}/resume`);
    await expect.poll(() => first.ids().length, SLOW).toBeGreaterThan(50);
    first.stop();
    await first.ended;
    const seen = first.ids();
    const second = await follow(taskId, String(seen.at(-1)));
    await second.ended;
    const all = [...seen, ...second.ids()];
    expect(all).toEqual(all.map((_, i) => i + 1));
    expect(second.events().at(-1)).toMatchObject({ event: "task", status: "completed" });
    expect(first.events().some(({ event }) => event === "step_started")).toBe(true);
  });

  test("end with a cancellation and continue after a rerun", async () => {
    const cancelled = await start(ada, await save(ada, [ask]));
    await reach(ada, cancelled, "waiting_approval");
    const watcher = await follow(cancelled);
    await ada.post(`/api/tasks/${cancelled}/cancel`);
    await watcher.ended;
    expect(watcher.events().at(-1)).toMatchObject({ event: "task", status: "cancelled" });

    const other = await serve(inTurn(500, "ok"));
    const failed = await run(ada, [http("a", other.url), ask]);
    await ada.post(`/api/tasks/${failed.id}/rerun-from-failed`);
    await reach(ada, failed.id, "waiting_approval");
    const again = await follow(failed.id);
    await ada.post(`/api/tasks/${failed.id}/resume`);
    await again.ended;
    expect(
      again
        .events()
        .filter(({ id }) => id !== undefined)
        .map(({ event, status }) => `${event} ${status}`),
    ).toEqual([
      "step failed",
      "task failed",
      "rerun queued",
      "step completed",
      "wait waiting_approval",
      "step completed",
      "task completed",
    ]);
  });

  test("match the contract exactly", async () => {
    const other = await serve(inTurn(500, 500, "ok"));
    const steps = [foreach("each", [1, 2], [value("x")]), http("a", other.url, { maxRetries: 1 }), ask];
    const { id } = await run(ada, steps);
    await ada.post(`/api/tasks/${id}/rerun-from-failed`);
    await reach(ada, id, "waiting_approval");
    const watcher = await follow(id);
    await ada.post(`/api/tasks/${id}/resume`);
    await watcher.ended;
    const events = watcher.events().map(({ id: _id, ...event }) => event);
    const durable = events.filter(({ seq }) => seq !== undefined);
    expect(new Set(durable.map(({ event }) => event))).toEqual(
      new Set(["items", "step", "attempt", "task", "rerun", "wait"]),
    );
    for (const event of events) expect(taskStreamEventSchema.parse(event)).toEqual(event);
    const started = { event: "step_started", stepId: "a", type: "http", status: "running" };
    expect(taskStreamEventSchema.parse(started)).toEqual(started);
  });

  test("are the same for twenty subscribers at once", async () => {
    const taskId = await start(ada, await save(ada, [ask, foreach("each", [1, 2, 3], [value("x")])]));
    await reach(ada, taskId, "waiting_approval");
    const watchers = await Promise.all(Array.from({ length: 20 }, () => follow(taskId)));
    await ada.post(`/api/tasks/${taskId}/resume`);
    await Promise.all(watchers.map(({ ended }) => ended));
    for (const watcher of watchers) expect(watcher.ids()).toEqual(watchers[0]!.ids());
  });

  test("wait for no client: one that does not read is disconnected, and the run completes", async () => {
    const stepId = "long".repeat(50);
    const items = Array.from({ length: 8000 }, (_, i) => i);
    const taskId = await start(
      ada,
      await save(ada, [ask, foreach("each", items, [value(stepId, 1)], { concurrency: 100 })]),
    );
    await reach(ada, taskId, "waiting_approval");
    let text = "";
    const idle = httpRequest(`${url}/api/tasks/${taskId}/events`, {
      headers: { authorization: `Bearer ${ada.token}` },
    });
    onTestFinished(() => void idle.destroy());
    const response = await new Promise<IncomingMessage>((resolve) => {
      idle
        .on("response", (incoming) => resolve(incoming.pause()))
        .on("error", () => undefined)
        .end();
    });
    await ada.post(`/api/tasks/${taskId}/resume`);
    await reach(ada, taskId, "completed");
    const over = new Promise((resolve) => response.on("close", resolve));
    response
      .setEncoding("utf8")
      .on("data", (part: string) => (text += part))
      .on("error", () => undefined)
      .resume();
    await over;
    // The client resumes from the last event it received.
    const whole = text.slice(0, text.lastIndexOf("\n\n"));
    const seen = parse(whole).flatMap(({ id }) => (id === undefined ? [] : [Number(id)]));
    expect(parse(whole).some(({ event }) => event === "task")).toBe(false);
    const rest = await follow(taskId, String(seen.at(-1)));
    await rest.ended;
    const all = [...seen, ...rest.ids()];
    expect(all).toEqual(all.map((_, n) => n + 1));
    expect(rest.events().at(-1)).toMatchObject({ event: "task", status: "completed" });
  });

  test("are readable by the owner only", async () => {
    const task = await run(ada, [value("a")]);
    const stranger = await registerUser(app);
    expect((await stranger.get(`/api/tasks/${task.id}/events`)).status).toBe(403);
    expect((await app.anonymous.get(`/api/tasks/${task.id}/events`)).status).toBe(401);
    expect((await ada.get("/api/tasks/task_unknown/events")).status).toBe(404);
  });
});
