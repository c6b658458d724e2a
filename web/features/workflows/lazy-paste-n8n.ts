import { lazyComponent } from "../../ui/lazy-component.ts";

/** Works as soon as it is loaded: the first screen does not wait for it. */
export const PasteN8n = lazyComponent(() => import("../n8n-import/paste-n8n.tsx"), "PasteN8n");
