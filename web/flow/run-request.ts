import type { Task } from "../api/types.ts";

/** A shell command that starts the same workflow with the same input. */
export function curlOf(task: Pick<Task, "workflowId" | "input">, origin: string): string {
  const body = JSON.stringify({ input: task.input });
  return [
    `curl -X POST ${origin}/api/workflows/${task.workflowId}/run`,
    `  -H "Authorization: Bearer $BATON_TOKEN"`,
    `  -H "Content-Type: application/json"`,
    // A single quote ends the quoted text, is escaped, and begins it again.
    `  -d '${body.replaceAll("'", `'\\''`)}'`,
  ].join(" \\\n");
}
