import { readTexts } from "../../contract/input/read-texts.ts";
import type { JsonValue } from "../../contract/placeholders/json-value.ts";
import type { TriggerRequest } from "../../contract/placeholders/render.ts";
import type { RunnableWorkflow } from "../engine/engine-api.ts";
import { isForm } from "./form-body.ts";

/** The input as the workflow takes it: forms and queries have only texts, which its input schema may want as numbers. */
export function webhookInput(
  { graph }: RunnableWorkflow,
  { method, headers }: TriggerRequest,
  received: JsonValue,
): JsonValue {
  const isTextOnly = method === "GET" || isForm(headers["content-type"]);
  return isTextOnly ? readTexts(graph.inputSchema, received) : received;
}
