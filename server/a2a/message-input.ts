import type { Part } from "@a2a-js/sdk";
import type { InputSchema } from "../../contract/input/input-field.ts";
import { isRecord, type JsonValue } from "../../contract/placeholders/json-value.ts";
import { toWorkflowInput } from "../chat/workflow-input.ts";
import { textOfParts } from "./message-text.ts";

/**
 * The input of a workflow: text as in a chat, data objects field by field, files as `files` with their name, media type
 * and either `url` or `bytes` (base64).
 */
export function toInput(schema: InputSchema | undefined, parts: readonly Part[]): Record<string, JsonValue> {
  const text = textOfParts(parts.filter(({ content }) => content?.$case === "text"));
  const input: Record<string, JsonValue> =
    text === "" ? {} : toWorkflowInput(schema, { message: text, messages: [], system: "" });
  if (Array.isArray(input["messages"]) && input["messages"].length === 0) delete input["messages"];
  const files: JsonValue[] = [];
  for (const { content, filename, mediaType } of parts) {
    if (content?.$case === "data") {
      const value = content.value as JsonValue;
      if (isRecord(value)) Object.assign(input, value);
      else input["data"] = value;
    }
    if (content?.$case === "url" || content?.$case === "raw")
      files.push({
        name: filename,
        mediaType,
        ...(content.$case === "url" ? { url: content.value } : { bytes: content.value.toString("base64") }),
      });
  }
  return files.length === 0 ? input : { ...input, files };
}
