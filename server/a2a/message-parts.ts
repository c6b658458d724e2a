import type { Message, Part } from "@a2a-js/sdk";
import type { Question } from "./a2a-task.sql.ts";

export function textPart(value: string): Part {
  return { content: { $case: "text", value }, metadata: undefined, filename: "", mediaType: "text/plain" };
}

export function dataPart(value: unknown): Part {
  return {
    content: { $case: "data", value },
    metadata: undefined,
    filename: "",
    mediaType: "application/json",
  };
}

/** The question of an approval, with the data shown to the person who decides. */
export function partsOfQuestion({ message, context }: Question): Part[] {
  const parts = [textPart(message === "" ? "Approve or reject?" : message)];
  if (context !== null) parts.push(dataPart(JSON.parse(context)));
  return parts;
}

export function emptyMessage(
  fields: Pick<Message, "messageId" | "contextId" | "taskId" | "role" | "parts">,
): Message {
  return { ...fields, metadata: undefined, extensions: [], referenceTaskIds: [] };
}
