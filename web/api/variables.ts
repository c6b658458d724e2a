import type { PutVariable, Variable } from "../../contract/variables.ts";
import { request } from "./client.ts";
import { useApiMutation } from "./mutation.ts";
import { useAll, usePages } from "./pages.ts";

export type { Variable };

const source = { noun: "variables", path: "/api/variables", operation: "listVariables" } as const;
const pathOf = (name: string): string => `/api/variables/${encodeURIComponent(name)}`;

/** Any JSON value; the service refuses a missing one. */
type VariableInput = Omit<PutVariable, "value"> & { value: unknown };

export function useVariables() {
  return useAll(source);
}

export function useVariablePages() {
  return usePages(source);
}

export async function createVariable(body: VariableInput & { name: string }): Promise<Variable> {
  return (await request("variable", source.path, { method: "POST", body })).variable;
}

export async function putVariable(name: string, body: VariableInput): Promise<Variable> {
  return (await request("variable", pathOf(name), { method: "PUT", body })).variable;
}

export async function deleteVariable(name: string): Promise<void> {
  await request("ok", pathOf(name), { method: "DELETE" });
}

export function useVariableMutation<Input, Output>(
  mutate: (input: Input) => Promise<Output>,
  onSuccess?: (output: Output) => void,
) {
  return useApiMutation(["variables"], mutate, onSuccess);
}
