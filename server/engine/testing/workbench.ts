import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished } from "vitest";
import type { Edge, Step } from "../../../contract/graph.ts";
import type { Client } from "../../../test/support/client.ts";

// oxlint-disable-next-line no-explicit-any
export type Loose = any;

/** A stored workflow's id. */
export async function save(
  owner: Client,
  steps: Step[],
  edges: Edge[] = [],
  more: object = {},
): Promise<string> {
  const answer = await owner.post("/api/workflows", { name: "test", metadata: { steps, edges }, ...more });
  expect(answer.body).toMatchObject({ ok: true });
  return answer.body.workflow.id as string;
}

/** Starts a run without waiting for it. */
export async function start(owner: Client, workflowId: string, input: unknown = {}): Promise<string> {
  const answer = await owner.post(`/api/workflows/${workflowId}/run`, { input });
  expect(answer.body).toMatchObject({ ok: true, workflowId });
  return answer.body.taskId as string;
}

export async function read(owner: Client, taskId: string): Promise<Loose> {
  const answer = await owner.get(`/api/tasks/${taskId}`);
  expect(answer.status).toBe(200);
  return answer.body.task;
}

/** The task once it has this status. */
export async function reach(owner: Client, taskId: string, status: string): Promise<Loose> {
  await expect
    .poll(async () => (await read(owner, taskId)).status, { timeout: 15_000, interval: 10 })
    .toBe(status);
  return read(owner, taskId);
}

/** Runs these steps and waits for the end. */
export async function run(
  owner: Client,
  steps: Step[],
  edges: Edge[] = [],
  input: unknown = {},
): Promise<Loose> {
  const workflowId = await save(owner, steps, edges);
  const { body } = await owner.post(`/api/workflows/${workflowId}/run?wait=true`, { input });
  return read(owner, body.taskId as string);
}

export function stepOf(task: Loose, stepId: string): Loose {
  return task.stepResults.find((step: Loose) => step.stepId === stepId);
}

export function statuses(task: Loose): Record<string, string> {
  return Object.fromEntries(task.stepResults.map((step: Loose) => [step.stepId, step.status]));
}

export interface Other {
  url: string;
  /** Requested paths in order. */
  calls: string[];
}

/** An HTTP server on loopback, closed when the test ends. */
export async function serve(
  answer: (request: IncomingMessage, response: ServerResponse, calls: string[]) => void,
): Promise<Other> {
  const calls: string[] = [];
  const server = createServer((request, response) => {
    calls.push(request.url ?? "");
    answer(request, response, calls);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, calls };
}

/** Sends these responses in turn: a number is a status, anything else the body of a 200; the last one repeats. */
export function inTurn(...answers: unknown[]): Parameters<typeof serve>[0] {
  return (_request, response, calls) => {
    const answer = answers[Math.min(calls.length, answers.length) - 1];
    response.writeHead(typeof answer === "number" ? answer : 200, { "content-type": "application/json" });
    response.end(JSON.stringify(typeof answer === "number" ? { status: answer } : answer));
  };
}

export function http(stepId: string, url: string, more: object = {}): Step {
  return { stepId, type: "http", method: "GET", url, ...more };
}

export function foreach(stepId: string, items: unknown, steps: Step[], more: object = {}): Step {
  return { stepId, type: "foreach", items, steps, ...more };
}

export function sub(stepId: string, workflowId: string, more: object = {}): Step {
  return { stepId, type: "workflow", workflowId, ...more };
}
