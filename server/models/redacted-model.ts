import { createRedactor } from "../security/redact.ts";
import type { StreamRedactor } from "../security/redact-stream.ts";
import { redactError, redactResult } from "../security/redact-result.ts";
import type { LanguageModel, StreamPart, TextRequest } from "./language-model.ts";

/** A model whose server may return the credential that it got: it does not get any further, nor into the tools. */
export function redactModel(model: LanguageModel, secrets: () => string[]): LanguageModel {
  const withTools = (request: TextRequest): TextRequest => ({
    ...request,
    tools: request.tools?.map((tool) => ({
      ...tool,
      execute: (input, ...rest) => tool.execute(createRedactor(secrets()).value(input), ...rest),
    })),
  });
  return {
    provider: model.provider,
    model: model.model,
    generateText: (request) => redactResult(secrets, () => model.generateText(withTools(request))),
    generateObject: (request) => redactResult(secrets, () => model.generateObject(request)),
    async *streamText(request): AsyncGenerator<StreamPart> {
      // Created with the first part: a call may renew the credential.
      let text: StreamRedactor | undefined;
      try {
        for await (const part of model.streamText(withTools(request))) {
          text ??= createRedactor(secrets()).stream();
          const shown = part.type === "text-delta" ? text.push(part.text) : text.end();
          if (shown !== "") yield { type: "text-delta", text: shown };
          if (part.type !== "text-delta") yield createRedactor(secrets()).value(part);
        }
      } catch (error) {
        throw redactError(error, secrets());
      }
    },
  };
}
