import {
  createWorkflow,
  getTask,
  register,
  runWorkflow,
  listTaskEvents,
  uploadDocument,
} from "../generated/orval/client.ts";
import { input, type Outcome, text, workflow } from "./scenario.ts";

/** With the functions that orval generates for fetch; the address of the service is generated into them. */
export async function call(_baseUrl: string, email: string): Promise<Outcome> {
  const account = await register({ email, password: "correct horse battery" });
  if (account.status !== 201) throw new Error(account.data.message);
  const authorization = `Bearer ${account.data.token}`;
  const options = { headers: { authorization } };
  const created = await createWorkflow(workflow, options);
  if (created.status !== 201) throw new Error(created.data.message);
  const { id, metadata } = created.data.workflow;
  const run = await runWorkflow(
    id,
    { input },
    { wait: "true" },
    { headers: { authorization, "idempotency-key": "one" } },
  );
  if (run.status !== 200) throw new Error(run.data.message);
  const { taskId } = run.data;
  const task = await getTask(taskId, options);
  if (task.status !== 200) throw new Error(task.data.message);
  const missing = await getTask("task_0", options);
  const upload = await uploadDocument(
    { file: new File([text], "terms.txt", { type: "text/plain" }) },
    undefined,
    options,
  );
  if (upload.status !== 201) throw new Error(`The upload was answered with ${upload.status}.`);
  const journal = await listTaskEvents(taskId, undefined, options);
  if (journal.status !== 200) throw new Error(journal.data.message);
  return {
    status: task.data.task.status,
    stepTypes: metadata.steps.map((step) => step.type),
    stepResults: task.data.task.stepResults,
    missing: missing.status === 404 ? missing.data.error : "",
    document: upload.data.status,
    events: journal.data.events.map(({ event }) => event),
  };
}
