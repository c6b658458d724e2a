import { expect } from "vitest";
import type { Client } from "./client.ts";
import { transformStep } from "./graphs.ts";

/** A graph whose only step returns the input. */
export const echoGraph = { steps: [transformStep("echo", "{{input}}")], edges: [] };

/** Creates a workflow with an enabled public endpoint. */
export async function publish(
  owner: Client,
  apiSettings: Record<string, unknown> = {},
  metadata: unknown = echoGraph,
  // oxlint-disable-next-line no-explicit-any
): Promise<any> {
  const response = await owner.post("/api/workflows", {
    name: "Endpoint",
    metadata,
    apiSettings: { enabled: true, ...apiSettings },
  });
  expect(response.status).toBe(201);
  return response.body.workflow;
}

export async function createKey(owner: Client, body?: unknown): Promise<{ id: string; rawKey: string }> {
  const response = await owner.post("/api/keys", body);
  expect(response.status).toBe(201);
  return { id: response.body.apiKey.id, rawKey: response.body.rawKey };
}

export function bearer(rawKey: string): Record<string, string> {
  return { authorization: `Bearer ${rawKey}` };
}
