import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import type { JsonValue } from "../../contract/placeholders/json-value.ts";
import { parseJsonText } from "./json-text.ts";

/**
 * A tool's result as a value: its structured content, else its text (parsed if it is a JSON object or list), else its
 * content parts.
 */
export function valueOf({ structuredContent, content }: CallToolResult): JsonValue {
  if (structuredContent !== undefined) return structuredContent as JsonValue;
  const [only] = content;
  if (only === undefined) return null;
  if (content.length > 1 || only.type !== "text") {
    return content.every((part) => part.type === "text") ? textOf(content) : (content as JsonValue);
  }
  const text = only.text.trim();
  return (/^[{[]/.test(text) ? parseJsonText(text) : undefined) ?? only.text;
}

export function textOf(content: CallToolResult["content"]): string {
  return content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");
}
