import type { ChatCompletionRequest } from "../../contract/chat-completions.ts";
import { AppError, invalidRequest } from "../lib/errors.ts";

/** A message with its parts joined to one text. */
export interface ChatMessage {
  role: "system" | "user" | "assistant" | "tool";
  content: string;
}

/** What a run gets of a request. */
export interface ChatPrompt {
  /** The last message of the user. */
  message: string;
  /** All messages, oldest first. */
  messages: ChatMessage[];
  /** The system messages as one text. */
  system: string;
}

/** Throws `invalid_request` for what no workflow, agent or team can do; parameters that only tune a model are ignored. */
export function readChatRequest(request: ChatCompletionRequest): ChatPrompt {
  const { n, tools, functions, response_format: format, modalities } = request;
  if (typeof n === "number" && n !== 1) refuse("n", "One answer is returned per request: n must be 1.");
  if ((tools?.length ?? 0) > 0)
    refuse("tools", "Tools of the client are not supported: the workflow, agent or team has its own.");
  if ((functions?.length ?? 0) > 0)
    refuse(
      "functions",
      "Functions of the client are not supported: the workflow, agent or team has its own.",
    );
  if (format && format.type !== "text")
    refuse(
      "response_format",
      "The answer has the form that the workflow, agent or team gives it: only text.",
    );
  if (modalities?.some((modality) => modality !== "text") === true)
    refuse("modalities", "Answers are text only.");

  const messages = request.messages.map((message, index): ChatMessage => ({
    role: roleOf(message.role),
    content: textOf(message.content, index),
  }));
  const last = messages.findLast(({ role }) => role === "user");
  if (last === undefined || last.content.trim() === "")
    return refuse("messages", "The last message of the user is missing or has no text.");
  const system = messages.filter(({ role }) => role === "system").map(({ content }) => content);
  return { message: last.content, messages, system: system.join("\n\n") };
}

function roleOf(role: ChatCompletionRequest["messages"][number]["role"]): ChatMessage["role"] {
  if (role === "developer") return "system";
  return role === "function" ? "tool" : role;
}

function textOf(content: ChatCompletionRequest["messages"][number]["content"], index: number): string {
  if (content === null || content === undefined) return "";
  if (typeof content === "string") return content;
  return content
    .map(({ type, text = "", refusal }) => {
      if (type === "text") return text;
      if (type === "refusal") return String(refusal ?? "");
      return refuse(
        `messages[${index}].content`,
        `Parts of the type ${type.slice(0, 50)} are not supported: send text.`,
      );
    })
    .join("\n");
}

function refuse(param: string, message: string): never {
  throw invalidRequest(message, [{ path: param, message }]);
}

export function modelNotFound(name: string): AppError {
  return new AppError(
    "not_found",
    `The model ${JSON.stringify(name.slice(0, 100))} does not exist or is not switched on for chat. GET /v1/models lists those that are.`,
    { details: [{ path: "model", message: "does not exist" }] },
  );
}
