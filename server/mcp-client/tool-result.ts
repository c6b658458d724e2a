import type { CallToolResult } from "@modelcontextprotocol/client";
import type { JsonValue } from "../../contract/placeholders/json-value.ts";
import { AppError } from "../lib/errors.ts";
import { parseAnyJsonText } from "../lib/untrusted-json.ts";
import { EXCERPT_LENGTH } from "./mcp-error.ts";

export async function outputOf(tool: string, result: CallToolResult): Promise<JsonValue> {
  if (result.isError !== true) return valueOf(result);
  const said = textOf(result.content).replace(/\s+/g, " ").trim().slice(0, EXCERPT_LENGTH);
  throw new AppError("mcp_tool_failed", `The tool "${tool}" failed${said === "" ? "." : `: ${said}`}`);
}

/**
 * A tool's result as a value: its structured content, else its text (parsed if it is a JSON object or list), else its
 * content parts.
 */
async function valueOf({ structuredContent, content }: CallToolResult): Promise<JsonValue> {
  if (structuredContent !== undefined) return structuredContent as JsonValue;
  const [only] = content;
  if (only === undefined) return null;
  if (content.length > 1 || only.type !== "text") {
    return content.every((part) => part.type === "text") ? textOf(content) : (content as JsonValue);
  }
  const text = only.text.trim();
  return (/^[{[]/.test(text) ? await parseAnyJsonText(text) : undefined) ?? only.text;
}

export function textOf(content: CallToolResult["content"]): string {
  return content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");
}
