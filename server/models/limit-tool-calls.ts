import type * as sdk from "ai";
import { modelFailed } from "./model-failure.ts";
import type { ModelObject } from "./vendors.ts";

/** All calls of one answer run at once. Real models make a few. */
const MAX_TOOL_CALLS = 200;
/** Every later call of the model carries this answer: a few of 14 MB took all memory. No model writes as much at once. */
const MAX_CHARACTERS = 1_000_000;

type Part = Readonly<Record<string, unknown>> & { type: string };

/** Refuses an answer that calls tools too often, or with too much text, before the library runs any of the calls. */
export function limitToolCalls(ai: typeof sdk, model: ModelObject, name: string): ModelObject {
  function createCounter(): (part: Part) => void {
    let calls = 0;
    let characters = 0;
    return (part) => {
      if (part.type === "tool-call") calls += 1;
      // The parts of an input come once more with the whole call.
      const delta = part.type === "tool-input-delta" ? undefined : part["delta"];
      for (const text of [part["text"], delta, part["input"]])
        if (typeof text === "string") characters += text.length;
      if (calls > MAX_TOOL_CALLS)
        throw refused(`called tools more than ${MAX_TOOL_CALLS} times in one answer`);
      if (calls > 0 && characters > MAX_CHARACTERS)
        throw refused(`called tools with more than ${MAX_CHARACTERS} characters in one answer`);
    };
  }
  const refused = (what: string): Error => modelFailed(name, "invalid_output", what);
  return ai.wrapLanguageModel({
    model: model as never,
    middleware: {
      specificationVersion: "v3",
      async wrapGenerate({ doGenerate }) {
        const answer = await doGenerate();
        answer.content.forEach(createCounter() as (part: object) => void);
        return answer;
      },
      async wrapStream({ doStream }) {
        const { stream, ...answer } = await doStream();
        const count = createCounter();
        const counted = new TransformStream({
          transform(part: Part, controller) {
            count(part);
            controller.enqueue(part);
          },
        });
        return { ...answer, stream: stream.pipeThrough(counted as never) };
      },
    },
  });
}
