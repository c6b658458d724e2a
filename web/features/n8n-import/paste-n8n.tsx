import { useLocation } from "wouter";
import { useMay } from "../../api/permissions.ts";
import { IMPORT_N8N_PATH, n8nStateOf } from "../../flow/n8n-import-link.ts";
import { useClipboard } from "../../ui/clipboard.ts";

/** Nodes copied in n8n and pasted on the screen open their review. Other text is left alone. */
export function PasteN8n() {
  const [, navigate] = useLocation();
  const mayImport = useMay()("importN8nWorkflow");
  useClipboard({
    copy: () => undefined,
    cut: () => undefined,
    paste(text) {
      const state = mayImport ? n8nStateOf(text, "Pasted from n8n") : undefined;
      if (state !== undefined) navigate(IMPORT_N8N_PATH, { state });
    },
  });
  return null;
}
