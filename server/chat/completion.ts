import type { ChatCompletion, ChatUsage } from "../../contract/chat-completions.ts";
import type { TokenCount } from "../engine/tasks/token-usage.ts";

export interface CompletionHead {
  id: string;
  model: string;
  /** Milliseconds. */
  createdAt: number;
}

export function toUsage(usage: TokenCount | undefined): ChatUsage {
  return {
    prompt_tokens: usage?.inputTokens ?? 0,
    completion_tokens: usage?.outputTokens ?? 0,
    total_tokens: usage?.totalTokens ?? 0,
  };
}

export function toCompletion(head: CompletionHead, content: string, usage: ChatUsage): ChatCompletion {
  const message = { role: "assistant" as const, content, refusal: null };
  return {
    ...fieldsOf(head),
    object: "chat.completion",
    choices: [{ index: 0, message, logprobs: null, finish_reason: "stop" }],
    usage,
  };
}

/** The chunks of a streamed answer. With `hasUsage` every chunk has a `usage`, which is null until the last one. */
export function createChunks(head: CompletionHead, hasUsage: boolean) {
  const chunk = (choices: object[], usage: ChatUsage | null = null) => ({
    ...fieldsOf(head),
    object: "chat.completion.chunk",
    choices,
    ...(hasUsage && { usage }),
  });
  const choice = (delta: object, finishReason: "stop" | null = null) => [
    { index: 0, delta, logprobs: null, finish_reason: finishReason },
  ];
  return {
    first: () => chunk(choice({ role: "assistant", content: "", refusal: null })),
    text: (content: string) => chunk(choice({ content })),
    last: () => chunk(choice({}, "stop")),
    usage: (usage: ChatUsage) => chunk([], usage),
  };
}

function fieldsOf({ id, model, createdAt }: CompletionHead) {
  return { id, created: Math.floor(createdAt / 1000), model };
}
