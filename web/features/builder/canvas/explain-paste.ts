import { navigate } from "wouter/use-browser-location";
import { IMPORT_N8N_PATH, n8nStateOf } from "../../../flow/n8n-import-link.ts";
import { showToast } from "../../../ui/toasts.tsx";

const SHOWN_MS = 12_000;

/** Why a text cannot be pasted as steps. For nodes of n8n, the message opens their review. */
export function explainPaste(text: string): void {
  const state = n8nStateOf(text, "Pasted from n8n");
  if (state === undefined) return showToast("No steps on the clipboard. Copy steps first.");
  showToast("These are nodes of n8n. They are imported as a new workflow.", {
    about: "n8n",
    forMs: SHOWN_MS,
    action: { label: "Import", run: () => navigate(IMPORT_N8N_PATH, { state }) },
  });
}
