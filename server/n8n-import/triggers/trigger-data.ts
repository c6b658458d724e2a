import type { N8nTrigger } from "../../../contract/n8n-import.ts";
import type { Data, FieldPlace } from "../data/data.ts";
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

/** The data of a trigger is the input of the run. */
export function dataOfTrigger(node: SourceNode, { kind }: N8nTrigger): Data {
  return {
    path: ["input"],
    shape: "one",
    exact: kind !== "app",
    node: node.name,
    places: PLACES[kind],
    ...(node.kind === "" && { exact: false }),
  };
}
