import { importFile as importExported } from "../../api/templates.ts";
import { IMPORT_N8N_PATH, n8nStateOf } from "../../flow/n8n-import-link.ts";

/** Imports a file that Baton exported. Returns the path to open, and its state: one of n8n is reviewed first. */
export async function importFile(file: File): Promise<[path: string, state: unknown]> {
  const state = n8nStateOf(await file.text(), file.name);
  if (state !== undefined) return [IMPORT_N8N_PATH, state];
  return [`/workflows/${(await importExported(file)).id}`, null];
}
