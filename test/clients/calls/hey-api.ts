import { createClient } from "../generated/hey-api/client/index.ts";
import {
  createWorkflow,
  getTask,
  register,
  runWorkflow,
  streamTaskEvents,
  uploadDocument,
} from "../generated/hey-api/sdk.gen.ts";
import { input, type Outcome, text, workflow } from "./scenario.ts";

/** With the functions that hey-api generates. */
export async function call(baseUrl: string, email: string): Promise<Outcome> {
  let token = "";
  const client = createClient({ baseUrl, auth: () => token });
  const options = { client, throwOnError: true } as const;
  const account = await register({ ...options, body: { email, password: "correct horse battery" } });
  token = account.data.token;
  const { data: created } = await createWorkflow({ ...options, body: workflow });
  const { data: run } = await runWorkflow({
    ...options,
    path: { id: created.workflow.id },
    query: { wait: "true" },
    headers: { "Idempotency-Key": "one" },
    body: { input },
  });
  const path = { id: run.taskId };
  const { data } = await getTask({ ...options, path });
  const missing = await getTask({ client, path: { id: "task_0" } });
  const file = new File([text], "terms.txt", { type: "text/plain" });
  const upload = await uploadDocument({ ...options, body: { file } });
  const events: string[] = [];
  const { stream } = await streamTaskEvents({ client, path });
  for await (const event of stream) {
    events.push(event.event);
    if (event.event === "task") break;
  }
  return {
    status: data.task.status,
    stepTypes: created.workflow.metadata.steps.map((step) => step.type),
    stepResults: data.task.stepResults,
    missing: missing.error!.error,
    document: upload.data.status,
    events,
  };
}
