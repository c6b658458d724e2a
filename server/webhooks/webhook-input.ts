import { readTexts } from "../../contract/input/read-texts.ts";
import type { JsonValue } from "../../contract/placeholders/json-value.ts";
import type { TriggerRequest } from "../../contract/placeholders/render.ts";
import type { RunnableWorkflow } from "../engine/engine-api.ts";
import { readCloudEvent, type ReceivedEvent } from "./cloud-event.ts";
import { isForm } from "./form-body.ts";

/** What a call starts a task with. */
export interface TaskTrigger {
  input: JsonValue;
  request: TriggerRequest;
  /** Set for a CloudEvent. */
  event: ReceivedEvent | undefined;
}

/** The data of a CloudEvent is the input; placeholders read its attributes. */
export function webhookTrigger(
  workflow: RunnableWorkflow,
  request: TriggerRequest,
  received: JsonValue,
): TaskTrigger {
  const event = readCloudEvent(request.headers, received);
  if (event === undefined) return { input: webhookInput(workflow, request, received), request, event };
  return { input: event.data, request: { ...request, event: event.attributes }, event };
}

/** The input as the workflow takes it: forms and queries have only texts, which its input schema may want as numbers. */
function webhookInput(
  { graph }: RunnableWorkflow,
  { method, headers }: TriggerRequest,
  received: JsonValue,
): JsonValue {
  const isTextOnly = method === "GET" || isForm(headers["content-type"]);
  return isTextOnly ? readTexts(graph.inputSchema, received) : received;
}
