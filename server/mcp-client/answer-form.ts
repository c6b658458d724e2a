import { isRecord, type JsonValue } from "../../contract/placeholders/json-value.ts";

type Answers = Readonly<Record<string, JsonValue>>;

/**
 * The response to a form of the server. Only the fields that it asks for are sent: the other answers may be meant for
 * another question. A field without an answer gets the form's default.
 */
export function answerForm(answers: Answers, params: unknown) {
  const schema = isRecord(params) ? params["requestedSchema"] : undefined;
  const properties = isRecord(schema) && isRecord(schema["properties"]) ? schema["properties"] : {};
  const content: Record<string, JsonValue> = {};
  for (const [name, property] of Object.entries(properties)) {
    const fallback = isRecord(property) ? property["default"] : undefined;
    const value = Object.hasOwn(answers, name) ? answers[name] : (fallback as JsonValue | undefined);
    if (value !== undefined) content[name] = value;
  }
  return { action: "accept" as const, content: content as Record<string, string> };
}

/** Responses to the requests of a task, by their keys; undefined when one is not a form. */
export function answerRequests(answers: Answers, requests: Record<string, unknown>) {
  const responses: Record<string, object> = {};
  for (const [key, request] of Object.entries(requests)) {
    if (!isRecord(request) || request["method"] !== "elicitation/create") return undefined;
    responses[key] = answerForm(answers, request["params"]);
  }
  return responses;
}
