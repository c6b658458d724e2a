import { checkInput } from "../../../contract/input/check-input.ts";
import type { InputSchema } from "../../../contract/input/input-field.ts";
import type { JsonValue } from "../../../contract/placeholders/json-value.ts";
import { AppError } from "../../lib/errors.ts";
import type { StartTask } from "../engine-api.ts";

const MAX_SENTENCES = 10;

/** The request with the defaults of the workflow's input schema. Throws `invalid_request` with a sentence per field. */
export function withCheckedInput<T extends StartTask>(request: T): T {
  const { inputSchema } = request.workflow.graph;
  if (inputSchema === undefined) return request;
  const input =
    request.inputUnchecked === true
      ? checkInput(inputSchema, request.input).input
      : assertInput(inputSchema, request.input);
  return { ...request, input };
}

/** The input with the schema's defaults. Throws `invalid_request`. */
export function assertInput(schema: InputSchema | undefined, given: JsonValue): JsonValue {
  if (schema === undefined) return given;
  const { input, problems } = checkInput(schema, given);
  if (problems === undefined) return input;
  const details = Object.entries(problems).map(([path, message]) => ({ path, message }));
  const sentences = details.map(({ message }) => message);
  const hidden = sentences.length - MAX_SENTENCES;
  const more = hidden > 0 ? ` ${hidden} more fields are not valid.` : "";
  // Permanent: a step that sends the same input again gets the same problems.
  throw new AppError(
    "invalid_request",
    `The input is not valid. ${sentences.slice(0, MAX_SENTENCES).join(" ")}${more}`,
    { details, permanent: true },
  );
}
