import { ContractError } from "./api-error.ts";
import { type ResponseName, responseSchemas } from "./responses.ts";

/** Development only: throws, so that the screen shows the mismatch instead of half of its data. */
export function checkResponse(name: ResponseName, path: string, value: unknown): void {
  const { error } = responseSchemas[name].safeParse(value);
  if (error === undefined) return;
  const issues = error.issues.map((issue) => `${issue.path.join(".") || "response"}: ${issue.message}`);
  const message = `The response of ${path} does not match the contract schema "${name}". ${issues.join("; ")}`;
  console.error(message, value);
  throw new ContractError(message);
}
