import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { readGraph } from "../flow/inner-steps.ts";
import { request } from "./client.ts";
import { useApiMutation } from "./mutation.ts";
import { useAll } from "./pages.ts";
import type { ItemOf } from "./responses.ts";
import type { Template, Workflow } from "./types.ts";
import { fetchExport } from "./workflows.ts";

export function useTemplates() {
  const query = useAll({ noun: "templates", path: "/api/templates" });
  const data = useMemo(() => query.data?.map(toTemplate), [query.data]);
  return { data, error: query.error, refetch: query.refetch };
}

function toTemplate(template: ItemOf<"templates">): Template {
  return { ...template, ...readGraph(template) } as Template;
}

/** Creates a workflow from a template, which names it unless a name is given. */
export async function importTemplate(id: string, name?: string): Promise<Workflow> {
  const { workflow } = await request("savedWorkflow", `/api/templates/import/${id}`, {
    method: "POST",
    ...(name !== undefined && { body: { name } }),
  });
  return workflow as Workflow;
}

export function useTemplate(id: string) {
  return useQuery({
    queryKey: ["templates", id],
    queryFn: async () => toTemplate((await request("template", `/api/templates/${id}`)).template),
  });
}

export async function updateTemplate(
  id: string,
  texts: { name: string; description: string },
): Promise<void> {
  await request("template", `/api/templates/${id}`, { method: "PATCH", body: texts });
}

export async function deleteTemplate(id: string): Promise<void> {
  await request("ok", `/api/templates/${id}`, { method: "DELETE" });
}

/** Registers the file as a template, which keeps its version history, imports that, and removes it again. */
export async function importFile(file: File): Promise<Workflow> {
  const template = await addTemplate(file);
  try {
    return await importTemplate(template.id);
  } finally {
    await deleteTemplate(template.id).catch(() => {});
  }
}

/** Registers an exported file as a template. */
export async function addTemplate(file: File): Promise<ItemOf<"templates">> {
  const content = parse(await file.text());
  const name =
    typeof content["name"] === "string" && content["name"] !== ""
      ? content["name"]
      : file.name.replace(/\.json$/, "");
  return createTemplate({ ...content, name });
}

/** Registers the workflow with its unpublished changes and its history. */
export async function saveAsTemplate(
  workflowId: string,
  texts: { name: string; description: string },
): Promise<ItemOf<"templates">> {
  const response = await fetchExport(workflowId);
  return createTemplate({ ...((await response.json()) as Record<string, unknown>), ...texts });
}

async function createTemplate(body: Record<string, unknown>): Promise<ItemOf<"templates">> {
  return (await request("template", "/api/templates", { body })).template;
}

function parse(text: string): Record<string, unknown> {
  const value = readObject(text);
  if ("steps" in value || "metadata" in value) return value;
  throw new Error("This file is not a workflow. Choose a JSON file that Baton or n8n exported.");
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
