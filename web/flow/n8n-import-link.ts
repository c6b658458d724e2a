import { type N8nWorkflow, readN8n } from "./n8n-file.ts";

export const IMPORT_N8N_PATH = "/workflows/import-n8n";

/** What the import screen was opened with. One that is read from a list has one workflow. */
export interface N8nFile {
  /** Tells two files with one name apart. */
  readAt: number;
  fileName: string;
  workflows: N8nWorkflow[];
}

/** In the state of the page: a reload keeps the review, and no link can start one. */
interface N8nState {
  n8nFile: N8nFile;
}

/** Of a workflow. */
const MAX_NAME = 200;

/** What n8n copies has no name: a file gives its own. */
export function n8nName({ fileName, workflows: [workflow] }: N8nFile): string | undefined {
  return (workflow?.name ?? /^(.+)\.json$/i.exec(fileName)?.[1])?.slice(0, MAX_NAME);
}

export function n8nState(fileName: string, workflows: N8nWorkflow[]): N8nState {
  return { n8nFile: { readAt: Date.now(), fileName, workflows } };
}

export function n8nFileOf(state: unknown): N8nFile | undefined {
  return (state as Partial<N8nState> | null)?.n8nFile;
}

/** The state with which the import screen opens a text; undefined for a text that is not a workflow of n8n. */
export function n8nStateOf(text: string, fileName: string): N8nState | undefined {
  const found = readN8n(text);
  return "problem" in found ? undefined : n8nState(fileName, found.workflows);
}
