import { type QueryClient, useQuery } from "@tanstack/react-query";
import { useCallback, useMemo } from "react";
import type { FormSettingsInput } from "../../contract/forms.ts";
import type { ApiSettingsInput, RunSettingsInput } from "../../contract/workflow-settings.ts";
import { ApiError } from "./api-error.ts";
import { authHeaders } from "./auth-token.ts";
import { saveFile } from "../ui/save-file.ts";
import { request } from "./client.ts";
import { useApiMutation } from "./mutation.ts";
import { useAll, usePages } from "./pages.ts";
import type { Responses } from "./responses.ts";
import type { Graph, Workflow, WorkflowVersion } from "./types.ts";

export type { ApiSettingsInput };

/** Without graphs, which are nearly all of the response. */
const source = { noun: "workflows", path: "/api/workflows", filter: { graph: "false" } } as const;

export function useWorkflows() {
  return useAll(source);
}

/** Looks up names by id. Shows "…" while loading, so that no workflow appears deleted by mistake. */
export function useWorkflowName(): (id: string) => string {
  const { data } = useWorkflows();
  const names = useMemo(() => data && new Map(data.map(({ id, name }) => [id, name])), [data]);
  return useCallback(
    (id) => (names === undefined ? "…" : (names.get(id) ?? missingWorkflowName(id))),
    [names],
  );
}

export function isMissingWorkflow(error: Error | null): boolean {
  return error instanceof ApiError && error.code === "workflow_not_found";
}

/** Tasks outlive their workflow, and some run a built-in graph whose id is its name. */
export function missingWorkflowName(id: string): string {
  if (!isBuiltInWorkflow(id)) return "Deleted workflow";
  const name = id.replaceAll("_", " ");
  return name.charAt(0).toUpperCase() + name.slice(1);
}

export function isBuiltInWorkflow(id: string): boolean {
  return !id.startsWith("wf_");
}

export function useWorkflow(id: string) {
  return useQuery({
    queryKey: ["workflow", id],
    queryFn: () => readWorkflow(id),
    enabled: id !== "",
  });
}

export function useVersionPages(id: string) {
  return usePages({ noun: "versions", path: `/api/workflows/${id}/versions`, filter: { runs: "true" } });
}

/** The content of a version never changes, so it is fetched once. */
export function useVersion(id: string | undefined, version: number | undefined) {
  return useQuery({
    queryKey: ["workflow", id, "version", version],
    queryFn: () => readVersion(id ?? "", version ?? 0),
    enabled: id !== undefined && version !== undefined,
    staleTime: Infinity,
  });
}

export async function readVersion(id: string, version: number): Promise<WorkflowVersion> {
  const response = await request("version", `/api/workflows/${id}/versions/${version}`);
  return response.version as WorkflowVersion;
}

export async function setVersionNote(id: string, version: number, note: string): Promise<void> {
  await request("ok", `/api/workflows/${id}/versions/${version}`, { method: "PATCH", body: { note } });
}

export async function readWorkflow(id: string): Promise<Workflow> {
  return (await request("workflow", `/api/workflows/${id}`)).workflow as Workflow;
}

/** Stores a saved workflow in the cache and refetches the lists that show it. */
export function cacheWorkflow(client: QueryClient, workflow: Workflow): void {
  client.setQueryData(["workflow", workflow.id], workflow);
  for (const noun of ["workflows", "versions"]) void client.invalidateQueries({ queryKey: [noun] });
}

export interface SaveWorkflow {
  name?: string;
  description?: string;
  metadata?: Graph;
  apiSettings?: ApiSettingsInput;
  form?: FormSettingsInput | null;
  active?: boolean;
  baseVersion?: number;
  note?: string;
}

/** Settings of the list, which change no version. */
export interface WorkflowPlace {
  active?: boolean;
  folder?: string;
  tags?: readonly string[];
}

export async function placeWorkflow(id: string, body: WorkflowPlace): Promise<void> {
  await request("savedWorkflow", `/api/workflows/${id}`, { method: "PATCH", body });
}

export async function saveRunSettings(id: string, settings: RunSettingsInput): Promise<void> {
  await request("savedWorkflow", `/api/workflows/${id}`, { method: "PATCH", body: { settings } });
}

/** The paths of all folders, also of empty ones. */
export function useFolders() {
  return useQuery({
    queryKey: ["workflows", "folders"],
    queryFn: async () =>
      (await request("folders", "/api/workflows/folders")).folders.map(({ folder }) => folder),
  });
}

export async function createFolder(folder: string): Promise<void> {
  await request("ok", "/api/workflows/folders", { body: { folder } });
}

/** Its workflows and subfolders move to the folder above. */
export async function deleteFolder(folder: string): Promise<void> {
  const search = new URLSearchParams({ folder });
  await request("renamedFolder", `/api/workflows/folders?${search.toString()}`, { method: "DELETE" });
}

export async function renameFolder(body: { from: string; to: string }): Promise<void> {
  await request("renamedFolder", "/api/workflows/folders/rename", { body });
}

type SavedWorkflow = Omit<Responses["savedWorkflow"], "workflow"> & { workflow: Workflow };

export async function saveWorkflow(id: string, body: SaveWorkflow): Promise<SavedWorkflow> {
  return (await request("savedWorkflow", `/api/workflows/${id}`, { method: "PUT", body })) as SavedWorkflow;
}

/** The name of a new workflow until a person gives it one. */
export const UNTITLED = "Untitled workflow";

export async function createWorkflow(body: { name: string; metadata: Graph }): Promise<Workflow> {
  return (await request("savedWorkflow", "/api/workflows", { body })).workflow as Workflow;
}

/** A workflow without a version: the first one is its first published draft. */
export async function createEmptyWorkflow(name: string): Promise<Workflow> {
  const body = { name, published: false };
  return (await request("savedWorkflow", "/api/workflows", { body })).workflow as Workflow;
}

export async function cloneWorkflow(id: string): Promise<Workflow> {
  const response = await request("savedWorkflow", `/api/workflows/${id}/clone`, { method: "POST" });
  return response.workflow as Workflow;
}

export async function deleteWorkflow(id: string): Promise<void> {
  await request("ok", `/api/workflows/${id}`, { method: "DELETE" });
}

export async function rollBack(id: string, version: number): Promise<Workflow> {
  const response = await request("savedWorkflow", `/api/workflows/${id}/rollback/${version}`, {
    method: "POST",
  });
  return response.workflow as Workflow;
}

export type GeneratedWorkflow = Omit<Responses["generatedWorkflow"], "workflow"> & {
  workflow: Omit<Responses["generatedWorkflow"]["workflow"], "metadata"> & { metadata: Graph };
};

/** A preview: the service stores nothing until the user creates the workflow. */
export async function generateWorkflow(prompt: string): Promise<GeneratedWorkflow> {
  const body = { prompt, save: false };
  return (await request("generatedWorkflow", "/api/workflows/generate-ai", { body })) as GeneratedWorkflow;
}

/** The invalid workflow of a failed generation, when there is one to repair. */
export function failedDraftOf(error: unknown): FailedDraft | undefined {
  if (!(error instanceof ApiError) || error.code !== "generation_failed") return undefined;
  return (error.body["details"] as { draft?: FailedDraft } | undefined)?.draft;
}

export type FailedDraft = Pick<Workflow, "name" | "description" | "metadata">;

/** A workflow without a published version, whose draft has this graph with all its problems. */
export async function createFromDraft(draft: FailedDraft): Promise<Workflow> {
  const workflow = await createEmptyWorkflow(draft.name);
  await request("ok", `/api/workflows/${workflow.id}/draft`, { method: "PUT", body: draft });
  return workflow;
}

/** The file of the workflow, with unpublished changes. */
export async function fetchExport(id: string): Promise<Response> {
  const response = await fetch(`/api/workflows/${id}/export?version=draft`, { headers: authHeaders() });
  if (!response.ok) throw new Error("The workflow could not be exported. Try again.");
  return response;
}

/** Downloads the workflow, with unpublished changes, as a JSON file with its version history. */
export async function exportWorkflow(id: string, name: string): Promise<void> {
  const response = await fetchExport(id);
  const safeName = name.replaceAll(/[^\p{L}\p{N}_ -]/gu, "").trim() || "workflow";
  saveFile(await response.blob(), `${safeName}.json`);
}

export function useWorkflowMutation<Input, Output>(
  mutate: (input: Input) => Promise<Output>,
  onSuccess?: (output: Output) => void,
) {
  return useApiMutation(["workflows", "workflow", "versions"], mutate, onSuccess);
}
