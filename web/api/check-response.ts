import type * as z from "zod";
import { ContractError } from "./api-error.ts";
import { type ResponseName, responseSchemas, socketEventSchemas } from "./responses.ts";

/** Development only: throws, so that the screen shows the mismatch instead of part of its data. */
export function checkResponse(name: ResponseName, source: string, value: unknown): void {
  check(responseSchemas[name], name, source, value);
}

/** Development only, for `socket.onAny`: throwing keeps a malformed event from the listeners. */
export function checkSocketEvent(name: string, value: unknown): void {
  const schema = socketEventSchemas[name];
  if (schema !== undefined) check(schema, name, "the socket", value);
}

function check(schema: z.ZodType, name: string, source: string, value: unknown): void {
  const { error } = schema.safeParse(value);
  if (error === undefined) return;
  const issues = error.issues.map((issue) => `${issue.path.join(".") || "value"}: ${issue.message}`);
  const message = `The response of ${source} does not match the contract schema "${name}". ${issues.join("; ")}`;
  console.error(message, value);
  throw new ContractError(message);
}
