import type { WorkflowHead } from "./types.ts";

const pathOf = ({ id, apiSettings }: WorkflowHead): string =>
  `/api/workflows/public/${apiSettings.endpointName ?? id}`;

/** The public URL of a workflow, by its slug or else by its id. */
export function endpointUrl(workflow: WorkflowHead): string {
  return `${location.origin}${pathOf(workflow)}`;
}

export interface EndpointResponse {
  /** 0 when the service cannot be reached. */
  status: number;
  durationMs: number;
  /** The parsed body, or its text when it is not JSON. */
  body: unknown;
}

/** Calls a public endpoint as an outside client does: with an API key at most, never with the user's token. */
export async function callEndpoint(
  workflow: WorkflowHead,
  apiKey: string,
  input: unknown,
): Promise<EndpointResponse> {
  const startedAt = performance.now();
  const finish = (status: number, body: unknown): EndpointResponse => ({
    status,
    durationMs: performance.now() - startedAt,
    body,
  });
  try {
    const response = await fetch(pathOf(workflow), {
      method: "POST",
      headers: {
        "content-type": "application/json",
        ...(apiKey === "" ? {} : { authorization: `Bearer ${apiKey}` }),
      },
      body: JSON.stringify({ input }),
    });
    return finish(response.status, parse(await response.text()));
  } catch {
    return finish(0, "The service cannot be reached.");
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}
