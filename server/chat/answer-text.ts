import { isRecord, type JsonValue } from "../../contract/placeholders/json-value.ts";

/** Fields in which steps return their text: an answer from documents, a response of an agent. */
const TEXT_FIELDS = ["text", "answer", "message", "content", "output"];

/** The result of a run as the text of an answer: a text as it is, the text of an object, anything else as JSON. */
export function toAnswerText(output: JsonValue): string {
  if (typeof output === "string") return output;
  if (output === null) return "";
  if (isRecord(output))
    for (const name of TEXT_FIELDS) if (typeof output[name] === "string") return output[name];
  return JSON.stringify(output, null, 2);
}
