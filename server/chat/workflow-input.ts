import type { InputField, InputSchema } from "../../contract/input/input-field.ts";
import { isRecord, type JsonValue } from "../../contract/placeholders/json-value.ts";
import type { ChatPrompt } from "./chat-request.ts";

/** Names that people give to the field of a question. */
const USUAL_NAMES = ["message", "input", "prompt", "question", "query", "text"];

/**
 * The input of a workflow: `message` and `messages`. If the workflow declares its input, the message goes into the field
 * that takes it, and a message that is a JSON object gives the fields by name.
 */
export function toWorkflowInput(
  schema: InputSchema | undefined,
  { message, messages }: ChatPrompt,
): Record<string, JsonValue> {
  const whole = { message, messages: messages.map((each) => ({ ...each })) };
  if (schema === undefined) return whole;
  const { properties = {} } = schema;
  const given: Record<string, JsonValue> = parseObject(message) ?? {};
  const field = fieldOf(schema);
  if (Object.keys(given).length === 0 && field !== undefined) given[field] = message;
  const input: Record<string, JsonValue> = { ...whole, ...given };
  // A workflow that allows no other fields gets only those it declares, and those that the message names.
  if (schema.additionalProperties === false)
    for (const name of Object.keys(whole))
      if (!Object.hasOwn(properties, name) && !Object.hasOwn(given, name)) delete input[name];
  // A declared `messages` of another type has its own meaning.
  if (
    properties["messages"] !== undefined &&
    properties["messages"].type !== "array" &&
    !("messages" in given)
  )
    delete input["messages"];
  return input;
}

function fieldOf({ properties = {}, required = [] }: InputSchema): string | undefined {
  const texts = Object.keys(properties).filter((name) => isText(properties[name]));
  const requiredTexts = texts.filter((name) => required.includes(name));
  return (
    USUAL_NAMES.find((name) => texts.includes(name)) ??
    (requiredTexts.length === 1 ? requiredTexts[0] : undefined) ??
    (texts.length === 1 ? texts[0] : undefined)
  );
}

function isText(field: InputField | undefined): boolean {
  return field?.type === "string" && field.enum === undefined;
}

function parseObject(text: string): Record<string, JsonValue> | undefined {
  if (!text.trim().startsWith("{")) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) && !Object.hasOwn(value, "__proto__")
      ? { ...(value as Record<string, JsonValue>) }
      : undefined;
  } catch {
    return undefined;
  }
}
