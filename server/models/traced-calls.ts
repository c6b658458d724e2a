import type { JsonValue } from "../../contract/placeholders/json-value.ts";
import { type Attributes, inSpan, type Tracing } from "../telemetry/tracing.ts";
import type { ModelTool, ObjectRequest, TextRequest } from "./language-model.ts";
import { failureOf } from "./measured-calls.ts";
import type { ModelWatch } from "./watched-model.ts";

/** The names of the conventions, where they differ from ours. */
const PROVIDER_NAMES: Readonly<Record<string, string>> = { google: "gcp.gemini" };
const MAX_CONTENT = 64 * 1024;

export interface TracedCallsOptions {
  /** Records prompts and answers. */
  capturesContent: boolean;
}

/** Spans of model calls and of the tools they use, with the GenAI conventions of OpenTelemetry. */
export function traceCalls(tracing: Tracing, { capturesContent }: TracedCallsOptions): ModelWatch {
  return ({ provider, model }, request) => {
    const redact = tracing.active()?.redact ?? ((text: string) => text);
    const serialized = (value: unknown): string => redact(JSON.stringify(value)).slice(0, MAX_CONTENT);
    const span = tracing.start(`chat ${model}`, {
      kind: "client",
      attributes: {
        "gen_ai.operation.name": "chat",
        "gen_ai.provider.name": PROVIDER_NAMES[provider] ?? provider,
        "gen_ai.request.model": model,
        "gen_ai.request.temperature": request.temperature,
        "gen_ai.request.max_tokens": request.maxOutputTokens,
        "gen_ai.output.type": "schema" in request ? "json" : "text",
        ...(capturesContent ? inputOf(request, serialized) : {}),
      },
    });
    return {
      run: (work) => tracing.run(span.context, work),
      withTools: (tools) => tools.map((tool) => tracedTool(tracing, tool)),
      end({ usage, answer, error }) {
        span.set({
          "gen_ai.usage.input_tokens": usage.inputTokens,
          "gen_ai.usage.output_tokens": usage.outputTokens,
          "baton.cost.amount": usage.cost?.amount,
          "baton.cost.currency": usage.cost?.currency,
          ...(capturesContent && answer !== undefined ? outputOf(answer, serialized) : {}),
        });
        span.end(error === undefined ? undefined : failureOf(error));
      },
    };
  };
}

function tracedTool(tracing: Tracing, tool: ModelTool): ModelTool {
  return {
    ...tool,
    execute(input, signal, callId) {
      const span = tracing.start(`execute_tool ${tool.name}`, {
        attributes: {
          "gen_ai.operation.name": "execute_tool",
          "gen_ai.tool.name": tool.name,
          "gen_ai.tool.call.id": callId,
        },
      });
      return inSpan(tracing, span, () => tool.execute(input, signal, callId), failureOf);
    },
  };
}

const textPart = (content: string) => [{ type: "text", content }];

function inputOf(
  { system, prompt, messages }: TextRequest | ObjectRequest,
  serialized: (value: unknown) => string,
): Attributes {
  const asked = messages ?? [{ role: "user" as const, content: prompt ?? "" }];
  return {
    ...(system ? { "gen_ai.system_instructions": serialized(textPart(system)) } : {}),
    "gen_ai.input.messages": serialized(
      asked.map(({ role, content }) => ({ role, parts: textPart(content) })),
    ),
  };
}

function outputOf(answer: JsonValue, serialized: (value: unknown) => string): Attributes {
  const content = typeof answer === "string" ? answer : JSON.stringify(answer);
  return { "gen_ai.output.messages": serialized([{ role: "assistant", parts: textPart(content) }]) };
}
