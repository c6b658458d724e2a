import { expect, test } from "vitest";
import { awaitRun } from "./await-run.ts";
import type { Call } from "./call.ts";
import type { Run, Runs } from "./runs.ts";

const run: Run = {
  id: "task_1",
  status: "waiting_approval",
  output: null,
  error: null,
  createdAt: 0,
  updatedAt: 0,
};

function callWith({ isStream }: { isStream: boolean }) {
  const sent: object[] = [];
  const left = new AbortController();
  const runs: Runs = {
    read: () => Promise.resolve(run),
    settled: () => Promise.resolve(run),
    watch: () => ({
      changed: (signal) =>
        new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true })),
      caughtUp: () => Promise.resolve(),
      close: () => {},
    }),
    cancel: () => Promise.resolve(),
    approvals: () => Promise.resolve([{ key: "a", stepId: "ask", message: "Pay?", context: null }]),
    decide: () => Promise.resolve(false),
  };
  const call = {
    caller: { ownerId: "user_1" },
    client: { isModern: false, elicits: true, hasTasks: false },
    params: { _meta: { progressToken: 1 } },
    channel: { signal: left.signal, isStream, send: (message: object) => void sent.push(message) },
    baseUrl: "https://baton.example",
  } as unknown as Call;
  const deps = { runs, waitMs: 60_000, questionId: () => "question", askByResult: () => ({}) };
  return { result: awaitRun(deps, call, { id: run.id }), sent, left };
}

test("a client that accepts no event stream gets the pending run in place of a question that it cannot receive", async () => {
  const { result, sent } = callWith({ isStream: false });
  expect(JSON.stringify(await result)).toContain("https://baton.example/runs/task_1");
  expect(sent).toEqual([]);
});

test("a client with an event stream is asked, and the call waits for its answer", async () => {
  const { result, sent, left } = callWith({ isStream: true });
  while (sent.length < 2) await new Promise((resolve) => setImmediate(resolve));
  expect(sent).toContainEqual(expect.objectContaining({ id: "question", method: "elicitation/create" }));
  left.abort();
  await result;
});
