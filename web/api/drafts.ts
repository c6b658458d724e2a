import { type QueryClient, useQuery } from "@tanstack/react-query";
import type { SaveDraft, WorkflowDraft as WireDraft } from "../../contract/drafts.ts";
import { request } from "./client.ts";
import type { Graph, Workflow } from "./types.ts";

export type WorkflowDraft = Omit<WireDraft, "metadata"> & { metadata: Graph };

const keyOf = (id: string) => ["workflow", id, "draft"] as const;

/** The unpublished changes of a workflow; null when there are none. */
export function useServerDraft(id: string) {
  return useQuery({ queryKey: keyOf(id), queryFn: () => readDraft(id), enabled: id !== "" });
}

export async function readDraft(id: string): Promise<WorkflowDraft | null> {
  return (await request("draft", `/api/workflows/${id}/draft`)).draft as WorkflowDraft | null;
}

export async function saveDraft(id: string, body: Partial<SaveDraft>): Promise<WorkflowDraft> {
  const response = await request("savedDraft", `/api/workflows/${id}/draft`, { method: "PUT", body });
  return response.draft as WorkflowDraft;
}

export async function discardDraft(id: string): Promise<void> {
  await request("ok", `/api/workflows/${id}/draft`, { method: "DELETE" });
}

export async function publishDraft(id: string, body: { note?: string; revision: number }): Promise<Workflow> {
  return (await request("savedWorkflow", `/api/workflows/${id}/publish`, { body })).workflow as Workflow;
}

/** Shows a saved, published or discarded draft without another request. */
export function cacheDraft(client: QueryClient, id: string, draft: WorkflowDraft | null): void {
  client.setQueryData(keyOf(id), draft);
  void client.invalidateQueries({ queryKey: ["workflows"] });
}
