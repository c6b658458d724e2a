import { stepAt } from "../../contract/graph/step-titles.ts";
import type { Graph, Task } from "../api/types.ts";
import { formFields } from "./form-fields.ts";

/**
 * The message of a failed step with the label that the step panel shows, in place of the name of the field in the API. A
 * message of a step within a loop keeps the name: the type of the loop does not know it.
 */
export function errorText(message: string, type: string | undefined): string {
  return message.replace(/^The field "([^"]+)"/, (whole, name: string) => {
    const label = formFields(type).find((field) => field.name === name)?.label;
    return label === undefined ? whole : `The field “${label}”`;
  });
}

/** The error of a run, whose step tells the fields. Empty for a run without an error. */
export function runErrorText({ error }: Pick<Task, "error">, graph: Graph): string {
  const stepId = error?.["stepId"];
  return errorText(
    error?.message ?? "",
    typeof stepId === "string" ? stepAt(graph, stepId)?.type : undefined,
  );
}
