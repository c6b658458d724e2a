import { QUERY_MAX_CHARACTERS } from "../../contract/documents.ts";
import { isRecord, type JsonValue } from "../../contract/placeholders/json-value.ts";
import { describeValue, invalidField } from "./step-failure.ts";

/** An earlier question and its answer. */
export interface DialogueTurn {
  question: string;
  answer: string;
}

/** As many as a query over the API may have. */
const MAX_TURNS = 20;
const ANSWER_MAX_CHARACTERS = 20_000;

/**
 * The last turns of a dialogue: messages of a chat (`role` and `content`), or turns as the API takes them (`question` and
 * `answer`). A question of a chat may have no answer yet, and longer texts are cut. The question itself is not an earlier turn,
 * although the messages of a chat completion end with it.
 */
export function readHistory(value: JsonValue, query: string): DialogueTurn[] {
  if (value === null || value === "") return [];
  if (!Array.isArray(value))
    throw invalidField("history", `must be a list of messages, not ${describeValue(value)}`);
  const turns: DialogueTurn[] = [];
  for (const entry of value) {
    if (!isRecord(entry)) throw invalidEntry(entry);
    const { role, content, question, answer } = entry as Record<string, JsonValue>;
    if (typeof question === "string" && typeof answer === "string") turns.push({ question, answer });
    else if (typeof role !== "string" || typeof content !== "string") throw invalidEntry(entry);
    else if (role === "user") turns.push({ question: content, answer: "" });
    else if (role === "assistant" && turns.length > 0) turns.at(-1)!.answer = content;
  }
  const last = turns.at(-1);
  if (last?.answer === "" && last.question === query) turns.pop();
  return turns.slice(-MAX_TURNS).map(({ question, answer }) => ({
    question: question.slice(0, QUERY_MAX_CHARACTERS),
    answer: answer.slice(0, ANSWER_MAX_CHARACTERS),
  }));
}

const invalidEntry = (entry: JsonValue) =>
  invalidField(
    "history",
    `must hold messages with role and content, or question and answer, not ${describeValue(entry)}`,
  );
