import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";
import type { RegisteredUser } from "../../support/test-app.ts";

/**
 * An HTTP server that responds with 500 until `repair` is called. From the second failure on it asks for a pause of
 * this many seconds.
 */
export async function flakyService(pauseSeconds?: number): Promise<{ url: string; repair: () => void }> {
  let broken = true;
  let failures = 0;
  const server = createServer((_request, response) => {
    if (broken && ++failures > 1 && pauseSeconds !== undefined)
      response.setHeader("retry-after", pauseSeconds);
    response.writeHead(broken ? 500 : 200, { "content-type": "application/json" }).end('{"fine": true}');
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    repair: () => (broken = false),
  };
}

/** A workflow of these steps in a row. */
export async function createWorkflow(
  user: RegisteredUser,
  steps: object[],
  name = "Report",
): Promise<string> {
  const ids = steps.map((step) => (step as { stepId: string }).stepId);
  const edges = ids.slice(1).map((target, index) => ({ id: `e${index}`, source: ids[index], target }));
  const { body } = await user.post("/api/workflows", { name, metadata: { steps, edges } });
  return body.workflow.id as string;
}
