import { readJsonAnswer } from "./json-answer.ts";
import { checkSchema } from "./json-schema.ts";
import { problemText } from "./json-schema-types.ts";
import {
  addUsage,
  type GeneratedObject,
  type GeneratedText,
  type JsonSchema,
  type ModelMessage,
  NO_USAGE,
  type ObjectRequest,
  type TextRequest,
} from "./language-model.ts";
import { modelFailed, withUsage } from "./model-failure.ts";

const SHOWN_PROBLEMS = 5;

/**
 * An object from a text model: request JSON, parse it, check it, and return the problems to the model once. The schema
 * is part of the instructions too, because half of the vendors accept none in their JSON mode.
 */
export async function generateObjectWith(
  name: string,
  { schema, repairs = 1, takesAnyJson = false, ...request }: ObjectRequest,
  ask: (request: TextRequest) => Promise<GeneratedText>,
): Promise<GeneratedObject> {
  const system = [request.system, instruction(schema)].filter(Boolean).join("\n\n");
  const messages: ModelMessage[] = [...(request.messages ?? [{ role: "user", content: request.prompt }])];
  let usage = NO_USAGE;
  for (let attempt = 0; ; attempt++) {
    const { prompt: _prompt, ...common } = request;
    const before = usage;
    const answer = await ask({ ...common, system, messages: [...messages] }).catch((error: unknown) => {
      throw withUsage(error, before);
    });
    usage = addUsage(usage, answer.usage);
    const object = await readJsonAnswer(answer.text);
    const problem =
      object === undefined ? "it is not JSON" : takesAnyJson ? undefined : describe(object, schema);
    if (object !== undefined && problem === undefined)
      return { object, usage, answeredBy: answer.answeredBy };
    if (attempt >= repairs)
      throw withUsage(
        modelFailed(name, "invalid_output", `returned output that does not match the schema: ${problem}`),
        usage,
      );
    messages.push(
      { role: "assistant", content: answer.text },
      { role: "user", content: `That answer cannot be used: ${problem}. Answer again, with the JSON alone.` },
    );
  }
}

function describe(object: Parameters<typeof checkSchema>[0], schema: JsonSchema): string | undefined {
  const problems = checkSchema(object, schema).slice(0, SHOWN_PROBLEMS);
  return problems.length === 0
    ? undefined
    : problems.map((problem) => problemText(problem, "the answer")).join("; ");
}

function instruction(schema: JsonSchema): string {
  return `Answer with one JSON value and nothing else: no code fence, no explanation. It has to fit this JSON Schema:\n${JSON.stringify(schema)}`;
}
