import { useQuery } from "@tanstack/react-query";
import { useCallback, useMemo } from "react";
import type { ApiSettingsInput } from "../../contract/workflows.ts";
import { useChange } from "./change.ts";
import { ApiError, authHeaders, call } from "./client.ts";
import { useAll, usePages } from "./pages.ts";
import type {
  Graph,
  Problem,
  Template,
  VersionHead,
  Workflow,
  WorkflowHead,
  WorkflowVersion,
} from "./types.ts";

/** To look through and to choose from; the graphs, nearly all of their weight, stay where they are. */
const heads = { noun: "workflows", path: "/api/workflows", filter: { graph: "false" } };

export function useWorkflows() {
  return useAll<WorkflowHead>(heads);
}

export function useWorkflowPages() {
  return usePages<WorkflowHead>(heads);
}

/** Names to show in place of ids. A workflow is not called deleted before the names are there. */
export function useWorkflowName(): (id: string) => string {
  const { data } = useWorkflows();
  const names = useMemo(() => data && new Map(data.map(({ id, name }) => [id, name])), [data]);
  return useCallback((id) => (names === undefined ? "…" : (names.get(id) ?? nameOfGone(id))), [names]);
}

export function isGone(error: Error | null): boolean {
  return error instanceof ApiError && error.code === "workflow_not_found";
}

/** Tasks outlive their workflow, and some run a graph that comes with the program, whose id is a word. */
export function nameOfGone(id: string): string {
  return id.startsWith("wf_") ? "a deleted workflow" : id.replaceAll("_", " ");
}

export function useWorkflow(id: string) {
  return useQuery({
    queryKey: ["workflow", id],
    queryFn: () => call<{ workflow: Workflow }>(`/api/workflows/${id}`),
    select: (answer) => answer.workflow,
    enabled: id !== "",
  });
}

export function useVersionPages(id: string) {
  return usePages<VersionHead>({ noun: "versions", path: `/api/workflows/${id}/versions` });
}

/** A version never changes, so it is asked for once. */
export function useVersion(id: string | undefined, version: number | undefined) {
  return useQuery({
    queryKey: ["workflow", id, "version", version],
    queryFn: () => readVersion(id ?? "", version ?? 0),
    enabled: id !== undefined && version !== undefined,
    staleTime: Infinity,
  });
}

export async function readVersion(id: string, version: number): Promise<WorkflowVersion> {
  return (await call<{ version: WorkflowVersion }>(`/api/workflows/${id}/versions/${version}`)).version;
}

export async function readWorkflow(id: string): Promise<Workflow> {
  return (await call<{ workflow: Workflow }>(`/api/workflows/${id}`)).workflow;
}

export interface SaveWorkflow {
  name?: string;
  description?: string;
  metadata?: Graph;
  apiSettings?: ApiSettingsInput;
  baseVersion?: number;
  note?: string;
}

export async function saveWorkflow(
  id: string,
  change: SaveWorkflow,
): Promise<{ workflow: Workflow; warnings: Problem[] }> {
  return call(`/api/workflows/${id}`, { method: "PUT", body: change });
}

export async function createWorkflow(body: { name: string; metadata?: Graph }): Promise<Workflow> {
  return (await call<{ workflow: Workflow }>("/api/workflows", { body })).workflow;
}

export async function rollBack(id: string, version: number): Promise<Workflow> {
  return (await call<{ workflow: Workflow }>(`/api/workflows/${id}/rollback/${version}`, { method: "POST" }))
    .workflow;
}

export interface Generated {
  workflow: Workflow;
  warnings: Problem[];
  generatedBy: string;
}

/** Only a preview: nothing is kept before the person says so. */
export async function generateWorkflow(prompt: string): Promise<Generated> {
  return call("/api/workflows/generate-ai", { body: { prompt, save: false } });
}

export function useTemplates() {
  return useAll<Template>({ noun: "templates", path: "/api/templates" });
}

export async function importTemplate(id: string): Promise<Workflow> {
  return (await call<{ workflow: Workflow }>(`/api/templates/import/${id}`, { method: "POST" })).workflow;
}

/** A file becomes a workflow through the registry, which keeps its history; the entry is not needed afterwards. */
export async function importFile(file: File): Promise<Workflow> {
  const content = parse(await file.text());
  const name =
    typeof content["name"] === "string" && content["name"] !== ""
      ? content["name"]
      : file.name.replace(/\.json$/, "");
  const { template } = await call<{ template: Template }>("/api/templates", { body: { ...content, name } });
  try {
    return await importTemplate(template.id);
  } finally {
    await call(`/api/templates/${template.id}`, { method: "DELETE" }).catch(() => {});
  }
}

function parse(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null) return value as Record<string, unknown>;
  } catch {
    // Said below, the same for both.
  }
  throw new Error("This file is no workflow: it should be the JSON that “Export” makes.");
}

export async function exportWorkflow(id: string, name: string): Promise<void> {
  const response = await fetch(`/api/workflows/${id}/export`, { headers: authHeaders() });
  if (!response.ok) throw new Error("The workflow could not be exported. Try again.");
  const link = document.createElement("a");
  link.href = URL.createObjectURL(await response.blob());
  link.download = `${name.replaceAll(/[^\p{L}\p{N}_ -]/gu, "").trim() || "workflow"}.json`;
  link.click();
  URL.revokeObjectURL(link.href);
}

/** A change to workflows; their lists and records are read anew afterwards. */
export function useWorkflowChange<Input, Output>(
  change: (input: Input) => Promise<Output>,
  then?: (output: Output) => void,
) {
  return useChange(["workflows", "workflow", "versions"], change, then);
}
