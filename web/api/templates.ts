import { request } from "./client.ts";
import { useApiMutation } from "./mutation.ts";
import { useAll } from "./pages.ts";
import type { Workflow } from "./types.ts";

export function useTemplates() {
  return useAll({ noun: "templates", path: "/api/templates" });
}

/** Creates a workflow from a template. */
export async function importTemplate(id: string): Promise<Workflow> {
  const { workflow } = await request("savedWorkflow", `/api/templates/import/${id}`, { method: "POST" });
  return workflow as Workflow;
}

export async function deleteTemplate(id: string): Promise<void> {
  await request("ok", `/api/templates/${id}`, { method: "DELETE" });
}

/** Registers the file as a template, which keeps its version history, imports that, and removes it again. */
export async function importFile(file: File): Promise<Workflow> {
  const content = parse(await file.text());
  const name =
    typeof content["name"] === "string" && content["name"] !== ""
      ? content["name"]
      : file.name.replace(/\.json$/, "");
  const { template } = await request("template", "/api/templates", { body: { ...content, name } });
  try {
    return await importTemplate(template.id);
  } finally {
    await deleteTemplate(template.id).catch(() => {});
  }
}

function parse(text: string): Record<string, unknown> {
  const value = readObject(text);
  if ("steps" in value || "metadata" in value) return value;
  if (Array.isArray(value["nodes"]) && "connections" in value)
    throw new Error(
      "This is a workflow of n8n, which Baton cannot import. Build it from a template or describe it.",
    );
  throw new Error("This file is not a workflow. Choose a JSON file that “Export” created.");
}

/** Invalid JSON and a JSON value that is not an object are empty. */
function readObject(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

export function useTemplateMutation<Input, Output>(
  mutate: (input: Input) => Promise<Output>,
  onSuccess?: (output: Output) => void,
) {
  return useApiMutation(["templates"], mutate, onSuccess);
}
