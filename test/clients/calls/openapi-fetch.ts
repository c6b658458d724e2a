import createClient from "openapi-fetch";
import type { paths } from "../generated/openapi-typescript.d.ts";
import { input, type Outcome, text, workflow } from "./scenario.ts";

/** With the types of openapi-typescript and openapi-fetch. */
export async function call(baseUrl: string, email: string): Promise<Outcome> {
  const client = createClient<paths>({ baseUrl });
  const account = await client.POST("/api/auth/register", {
    body: { email, password: "correct horse battery" },
  });
  client.use({
    onRequest({ request }) {
      request.headers.set("authorization", `Bearer ${account.data?.token}`);
    },
  });
  const { data: created, error } = await client.POST("/api/workflows", { body: workflow });
  if (created === undefined) throw new Error(error.message);
  const { id } = created.workflow;
  const run = await client.POST("/api/workflows/{id}/run", {
    params: { path: { id }, query: { wait: "true" }, header: { "Idempotency-Key": "one" } },
    body: { input },
  });
  if (run.data === undefined) throw new Error("The run failed.");
  const path = { id: run.data.taskId };
  const task = await client.GET("/api/tasks/{id}", { params: { path } });
  const missing = await client.GET("/api/tasks/{id}", { params: { path: { id: "task_0" } } });
  const upload = await client.POST("/api/v1/documents/upload", {
    body: { file: "" },
    bodySerializer: () => {
      const form = new FormData();
      form.set("file", new Blob([text], { type: "text/plain" }), "terms.txt");
      return form;
    },
  });
  const events = await client.GET("/api/tasks/{id}/events", { params: { path }, parseAs: "text" });
  return {
    status: task.data!.task.status,
    stepTypes: created.workflow.metadata.steps.map((step) => step.type),
    stepResults: task.data!.task.stepResults,
    missing: missing.error!.error,
    document: upload.data!.status,
    events: [...String(events.data).matchAll(/^event: (.*)$/gm)].map((match) => match[1]!),
  };
}
