import type { N8nTrigger } from "../../../contract/n8n-import.ts";
import { isRedacted } from "../../security/redact-request.ts";
import type { Data, FieldKeys, FieldPlace } from "../data/data.ts";
import type { SourceNode } from "../source/source.ts";

const PLACES: Readonly<Record<string, readonly FieldPlace[]>> = {
  webhook: [
    { from: ["body"], to: ["input"] },
    { from: ["query"], to: ["trigger", "query"] },
    { from: ["headers"], to: ["trigger", "headers"], lowerCase: true },
  ],
  chat: [
    { from: ["chatInput"], to: ["input", "message"] },
    { from: ["sessionId"], to: ["input", "conversationId"] },
  ],
  schedule: [{ from: ["timestamp"], to: ["now"] }],
  error: [
    { from: ["execution", "error"], to: ["input", "error"] },
    { from: ["execution", "id"], to: ["input", "taskId"] },
    { from: ["execution", "url"], to: ["input", "url"] },
    { from: ["execution", "lastNodeExecuted"], to: ["input", "failedStep"] },
    { from: ["workflow"], to: ["input", "workflow"] },
  ],
  email: [
    { from: ["textPlain"], to: ["input", "text"] },
    { from: ["textHtml"], to: ["input", "html"] },
    { from: ["subject"], to: ["input", "subject"] },
    { from: ["text"], to: ["input", "text"] },
    { from: ["html"], to: ["input", "html"] },
    { from: ["date"], to: ["input", "date"] },
  ],
};

/** n8n has no body then; here the input is the query. */
const OF_GET: readonly FieldPlace[] = (PLACES["webhook"] ?? []).filter(({ to }) => to[0] !== "input");

/** The data of a trigger is the input of the run. */
export function dataOfTrigger(node: SourceNode, { kind, method }: N8nTrigger): Data {
  return {
    path: ["input"],
    shape: "one",
    exact: kind !== "app" || hasSameFields(node),
    node: node.name,
    places: kind === "webhook" && method === "GET" ? OF_GET : PLACES[kind],
    ...(kind === "webhook" && { doubtOf: doubtOfWebhook }),
    ...(node.kind === "" && { exact: false }),
  };
}

/** Of an app: n8n and Baton start runs with what the service sent, or with the columns of a row. */
export function hasSameFields({ kind, parameters }: SourceNode): boolean {
  return kind === "telegramTrigger" || (kind === "googleSheetsTrigger" && parameters["event"] === "rowAdded");
}

/** Fields of a webhook in n8n that a run has not here. */
export const ONLY_IN_N8N = ["params", "webhookUrl", "executionMode"] as const;

function doubtOfWebhook([part, name]: FieldKeys): string | undefined {
  if (part === undefined) return `n8n has ${ONLY_IN_N8N.join(", ")} in it, too.`;
  if (part !== "headers" && part !== "query") return undefined;
  if (name === undefined) return "Headers and parameters with credentials are redacted here.";
  return isRedacted(String(name)) ? redactedNote(String(name)) : undefined;
}

export function redactedNote(name: string): string {
  return `${name.slice(0, 60)} is redacted here, as a credential.`;
}
