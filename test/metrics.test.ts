import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { parse } from "yaml";
import { EVENT_TYPES } from "../contract/events.ts";
import { runSteps } from "./support/run-steps.ts";
import { shareApp } from "./support/shared-app.ts";
import { startStubModelServer, stubModelSettings } from "./support/stub-model-server.ts";
import { openReceiver } from "./support/webhook-receiver.ts";

const model = await startStubModelServer();
const receiver = await openReceiver();
const { app, alice } = await shareApp(["alice"], {
  ...stubModelSettings(model),
  LLM_PRICES: '{"openai-compatible/stub-model": {"input": 1, "output": 2}}',
  QUEUED_TASKS_PER_OWNER: "1",
});
afterAll(() => Promise.all([model.close(), receiver.close()]));

interface Sample {
  name: string;
  labels: Record<string, string>;
  value: number;
}

/** Reads the text format of Prometheus. */
async function scrape(): Promise<Sample[]> {
  const { text } = await app.anonymous.get("/metrics");
  return text.split("\n").flatMap((line) => {
    const [, name, labels = "", value] = /^([a-z_]\w*)(?:\{(.*)\})? (\S+)$/i.exec(line) ?? [];
    if (name === undefined) return [];
    const pairs = [...labels.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, key, each]) => [key, each]);
    return [{ name, labels: Object.fromEntries(pairs), value: Number(value) }];
  });
}

const valueOf = (samples: Sample[], name: string, labels: Record<string, string> = {}) =>
  samples.find(
    (sample) =>
      sample.name === name && Object.entries(labels).every(([key, each]) => sample.labels[key] === each),
  )?.value;

const DELIVERED = ["baton_outbox_attempts_total", { kind: "event", outcome: "delivered" }] as const;
const transform = (stepId: string) => ({ stepId, type: "transform", template: "x" });
const refused = { type: "http", url: "http://127.0.0.1:1/" };

beforeAll(async () => {
  await alice.post("/api/event-subscriptions", { url: receiver.url, types: EVENT_TYPES });
  await runSteps(alice, [transform("a"), transform("b")]);
  await runSteps(alice, [{ stepId: "call", ...refused, maxRetries: 1, backoffMultiplier: 1 }]);
  await runSteps(alice, [{ stepId: "ask", type: "llm", prompt: "Hi" }]);
  const steps = [{ stepId: "wait", type: "approval", message: "Go on?" }];
  const { workflow } = (await alice.post("/api/workflows", { name: "Asks", metadata: { steps } })).body;
  const start = async () =>
    (await alice.post(`/api/workflows/${workflow.id}/run?wait=true`, {})).body.taskId as string;
  await alice.post(`/api/tasks/${await start()}/cancel`);
  await alice.post(`/api/tasks/${await start()}/resume`, { decision: "reject" });
  const { webhook } = (
    await alice.post("/api/webhooks", { name: "n", source: "shop", workflowId: workflow.id })
  ).body;
  await app.anonymous.post("/webhook/shop", {}, { "x-webhook-secret": webhook.secret });
  await alice.get("/api/workflows/none");
  await vi.waitFor(async () => {
    if ((valueOf(await scrape(), ...DELIVERED) ?? 0) < 4) throw new Error("Too few messages were delivered.");
  }, 10_000);
});

test("runs are counted by outcome and trigger, with their duration", async () => {
  const samples = await scrape();
  const runs = (outcome: string) => valueOf(samples, "baton_runs_total", { outcome, trigger: "manual" });
  expect([runs("completed"), runs("failed"), runs("cancelled"), runs("rejected")]).toEqual([2, 1, 1, 1]);
  expect(valueOf(samples, "baton_run_seconds_count", { trigger: "manual" })).toBe(4);
});

test("steps are measured by type and status, and retries are counted", async () => {
  const samples = await scrape();
  const steps = (type: string, status: string) =>
    valueOf(samples, "baton_step_seconds_count", { type, status });
  expect([steps("transform", "completed"), steps("http", "failed"), steps("llm", "completed")]).toEqual([
    2, 1, 1,
  ]);
  expect(valueOf(samples, "baton_step_retries_total", { type: "http" })).toBe(1);
});

test("model calls are measured with their tokens and their cost", async () => {
  const samples = await scrape();
  const stub = { provider: "openai-compatible", model: "stub-model" };
  expect(valueOf(samples, "baton_model_call_seconds_count", { ...stub, outcome: "completed" })).toBe(1);
  expect(valueOf(samples, "baton_model_tokens_total", { ...stub, direction: "input" })).toBe(12);
  expect(valueOf(samples, "baton_model_tokens_total", { ...stub, direction: "output" })).toBe(8);
  expect(valueOf(samples, "baton_model_cost_total", { ...stub, currency: "USD" })).toBeCloseTo(28e-6, 9);
});

test("messages, webhooks, slots and database writes are measured", async () => {
  const samples = await scrape();
  expect(valueOf(samples, ...DELIVERED)).toBeGreaterThan(3);
  expect(valueOf(samples, "baton_webhook_deliveries_total", { status: "accepted" })).toBe(1);
  expect(valueOf(samples, "baton_slots", { lane: "task" })).toBeGreaterThan(0);
  expect(valueOf(samples, "baton_slots_used", { lane: "task" })).toBeDefined();
  expect(valueOf(samples, "baton_db_write_seconds_count")).toBeGreaterThan(10);
});

test("no label of a metric of runs or models names a workflow, a task or an owner", async () => {
  const labels = new Set((await scrape()).flatMap((sample) => Object.values(sample.labels)));
  expect([...labels].filter((value) => /^(wf|task|user|ws)_/.test(value))).toEqual([]);
});

const read = (path: string) =>
  readFileSync(fileURLToPath(new URL(`../deploy/monitoring/${path}`, import.meta.url)), "utf8");

const rules: { alert: string; expr: string }[] = parse(read("alerts.yaml")).groups[0].rules;
const panels: { title: string; targets?: { expr: string }[] }[] = JSON.parse(
  read("grafana-dashboard.json"),
).panels;
const expressions = [
  ...rules.map(({ alert, expr }) => [alert, expr] as const),
  ...panels.flatMap(({ title, targets = [] }) => targets.map(({ expr }) => [title, expr] as const)),
];
/** Added by Prometheus. */
const SCRAPED = ["job", "instance"];

test.each(expressions)("%s uses metrics and labels that the service exports", async (_where, expr) => {
  const samples = [...(await scrape()), { name: "up", labels: {}, value: 1 }];
  // Counted only after a refusal.
  samples.push({ name: "baton_limit_refusals_total", labels: { limit: "x" }, value: 1 });
  const labelsOf = (name: string) =>
    samples.filter((sample) => sample.name === name).flatMap((sample) => Object.keys(sample.labels));
  const used = [...expr.matchAll(/\b((?:baton|nodejs|process)_\w+|up)\b(?:\{([^}]*)\})?/g)];
  expect(used.length).toBeGreaterThan(0);
  const known = new Set(SCRAPED);
  for (const [, name = "", selectors = ""] of used) {
    expect([name, samples.some((sample) => sample.name === name)]).toEqual([name, true]);
    const selected = [...selectors.matchAll(/(\w+)(?:=~|!~|!=|=)"/g)].map(([, label = ""]) => label);
    const own = [...SCRAPED, ...labelsOf(name)];
    expect([name, selected.filter((label) => !own.includes(label))]).toEqual([name, []]);
    for (const label of own) known.add(label);
  }
  const grouped = [...expr.matchAll(/by \(([^)]*)\)/g)].flatMap(([, list = ""]) => list.split(", "));
  expect(grouped.filter((label) => !known.has(label))).toEqual([]);
});
