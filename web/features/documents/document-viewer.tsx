import { Suspense } from "react";
import { useDocument } from "../../api/documents.ts";
import { lazyComponent } from "../../ui/lazy-component.ts";
import { Failure } from "../../ui/states.tsx";
import type { OpenPage } from "./open-page.ts";

const PdfViewer = lazyComponent(() => import("./pdf-viewer.tsx"), "PdfViewer");
const TextViewer = lazyComponent(() => import("./text-viewer.tsx"), "TextViewer");

/** A PDF as it is printed, every other format as text: nothing of an uploaded file is rendered as HTML. */
export function DocumentViewer({ open, onClose }: { open: OpenPage; onClose: () => void }) {
  const { data, error } = useDocument(open.documentId);
  const waiting = (
    <aside className="pdf" aria-label="Page" aria-busy={error === null}>
      {error !== null && <Failure error={error} />}
    </aside>
  );
  if (data === undefined) return waiting;
  const Viewer = data.media_type === "application/pdf" ? PdfViewer : TextViewer;
  return (
    <Suspense fallback={waiting}>
      <Viewer open={open} onClose={onClose} />
    </Suspense>
  );
}
