import { expect } from "vitest";
import type { Client } from "./client.ts";
import { transformStep } from "./graphs.ts";

/** A graph whose only step gives back the input. */
export const echoGraph = { steps: [transformStep("echo", "{{input}}")], edges: [] };

/** A stored workflow with its public endpoint switched on. */
export async function publish(
  owner: Client,
  apiSettings: Record<string, unknown> = {},
  metadata: unknown = echoGraph,
  // oxlint-disable-next-line no-explicit-any
): Promise<any> {
  const answer = await owner.post("/api/workflows", {
    name: "Endpoint",
    metadata,
    apiSettings: { enabled: true, ...apiSettings },
  });
  expect(answer.status).toBe(201);
  return answer.body.workflow;
}

export async function makeKey(owner: Client, body?: unknown): Promise<{ id: string; rawKey: string }> {
  const answer = await owner.post("/api/keys", body);
  expect(answer.status).toBe(201);
  return { id: answer.body.apiKey.id, rawKey: answer.body.rawKey };
}

export function bearer(rawKey: string): Record<string, string> {
  return { authorization: `Bearer ${rawKey}` };
}
