import type * as sdk from "ai";
import { modelFailed } from "./model-failure.ts";
import type { ModelObject } from "./vendors.ts";

/** All calls of one answer run at once. Real models make a few. */
const MAX_TOOL_CALLS = 200;

/** Refuses an answer with more tool calls before the library runs any of them. */
export function limitToolCalls(ai: typeof sdk, model: ModelObject, name: string): ModelObject {
  function createCounter(): (part: { type: string }) => void {
    let calls = 0;
    return ({ type }) => {
      if (type === "tool-call" && ++calls > MAX_TOOL_CALLS)
        throw modelFailed(
          name,
          "invalid_output",
          `called tools more than ${MAX_TOOL_CALLS} times in one answer`,
        );
    };
  }
  return ai.wrapLanguageModel({
    model: model as never,
    middleware: {
      specificationVersion: "v3",
      async wrapGenerate({ doGenerate }) {
        const answer = await doGenerate();
        answer.content.forEach(createCounter());
        return answer;
      },
      async wrapStream({ doStream }) {
        const { stream, ...answer } = await doStream();
        const count = createCounter();
        const counted = new TransformStream({
          transform(part: { type: string }, controller) {
            count(part);
            controller.enqueue(part);
          },
        });
        return { ...answer, stream: stream.pipeThrough(counted as never) };
      },
    },
  });
}
