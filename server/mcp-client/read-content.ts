import type { JsonValue } from "../../contract/placeholders/json-value.ts";
import { parseAnyJsonText } from "../lib/untrusted-json.ts";
import type { McpSession } from "./mcp-clients.ts";

/** The text of a resource (parsed if it is a JSON object or list); its parts when there are several or it is binary. */
export async function readResource({ client, waiting }: McpSession, uri: string): Promise<JsonValue> {
  const { contents } = await client.readResource({ uri }, { ...waiting, cacheMode: "bypass" });
  const [only] = contents;
  if (only === undefined) return null;
  if (contents.length > 1 || !("text" in only)) return contents as JsonValue;
  const text = only.text.trim();
  return (/^[{[]/.test(text) ? await parseAnyJsonText(text) : undefined) ?? only.text;
}

/** A prompt with its arguments filled in, as messages for a model. */
export async function getPrompt(
  { client, waiting }: McpSession,
  name: string,
  args: Record<string, unknown>,
): Promise<JsonValue> {
  const texts = Object.entries(args).map(([key, value]) => [
    key,
    typeof value === "string" ? value : JSON.stringify(value),
  ]);
  const prompt = await client.getPrompt({ name, arguments: Object.fromEntries(texts) }, waiting);
  return { description: prompt.description ?? "", messages: prompt.messages } as JsonValue;
}
