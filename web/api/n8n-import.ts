import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { ImportN8nInput, N8nReport } from "../../contract/n8n-import.ts";
import type { N8nFile } from "../flow/n8n-import-link.ts";
import { request } from "./client.ts";
import type { Graph, Workflow } from "./types.ts";

export type N8nPreview = Omit<N8nReport, "workflow"> & {
  workflow: Omit<N8nReport["workflow"], "metadata"> & { metadata: Graph };
};

const path = "/api/workflows/import-n8n";

/** What every node becomes; nothing is stored. Shows the last answer while other connections are tried. */
export function useN8nPreview(
  { readAt, workflows: [workflow] }: N8nFile,
  connections: Readonly<Record<string, string>>,
) {
  return useQuery({
    // The file itself would be hashed with every render.
    queryKey: ["n8n preview", readAt, connections],
    queryFn: async () =>
      (await request("n8nPreview", path, { body: { workflow, connections, save: false } })) as N8nPreview,
    placeholderData: keepPreviousData,
    staleTime: Infinity,
  });
}

/** Creates a workflow with an unpublished draft. */
export async function importN8n(body: ImportN8nInput): Promise<N8nReport & { workflow: Workflow }> {
  return (await request("n8nImport", path, { body })) as unknown as N8nReport & { workflow: Workflow };
}
