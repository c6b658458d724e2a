import { ChevronLeft, ChevronRight, X } from "lucide-react";
import * as pdfjs from "pdfjs-dist";
// oxlint-disable-next-line import/default -- Vite makes the address of the file its default export.
import workerUrl from "pdfjs-dist/build/pdf.worker.min.mjs?url";
import { useEffect, useRef, useState } from "react";
import { documentFile } from "../../api/documents.ts";
import { Failure } from "../../ui/states.tsx";
import type { OpenPage } from "./documents.tsx";

pdfjs.GlobalWorkerOptions.workerSrc = workerUrl;

function useDocument(documentId: string) {
  const [document, setDocument] = useState<pdfjs.PDFDocumentProxy>();
  const [error, setError] = useState<unknown>(null);
  useEffect(() => {
    const loading = pdfjs.getDocument({
      ...documentFile(documentId),
      cMapUrl: "/pdf/cmaps/",
      standardFontDataUrl: "/pdf/standard_fonts/",
      // The policy of the page allows neither code from text nor WebAssembly.
      useWasm: false,
    });
    loading.promise.then(setDocument, () =>
      setError(new Error("This page cannot be shown. The file may be gone; the answer still stands.")),
    );
    return () => void loading.destroy();
  }, [documentId]);
  return { document, error };
}

/** One page of a PDF with the passage marked on the paper itself. */
export function PageView({ open, onClose }: { open: OpenPage; onClose: () => void }) {
  const { document, error } = useDocument(open.documentId);
  const [page, setPage] = useState(open.page);
  const [scale, setScale] = useState(1);
  const [painted, setPainted] = useState(0);
  const canvas = useRef<HTMLCanvasElement>(null);
  const place = useRef<HTMLDivElement>(null);
  const passage = useRef<HTMLDivElement>(null);
  useEffect(() => setPage(open.page), [open]);

  useEffect(() => {
    if (document === undefined) return;
    let gone = false;
    let task: pdfjs.RenderTask | undefined;
    void (async () => {
      const sheet = await document.getPage(page);
      const target = canvas.current;
      if (gone || target === null || place.current === null) return;
      const fitted = place.current.clientWidth / sheet.getViewport({ scale: 1 }).width;
      const dense = Math.min(devicePixelRatio, 2);
      const viewport = sheet.getViewport({ scale: fitted * dense });
      target.width = viewport.width;
      target.height = viewport.height;
      setScale(fitted);
      task = sheet.render({ canvas: target, viewport });
      await task.promise;
      setPainted(page);
    })().catch(() => {
      // Cancelled because another page was asked for.
    });
    return () => {
      gone = true;
      task?.cancel();
    };
  }, [document, page]);
  const boxes = page === open.page ? open.boxes : [];
  useEffect(() => {
    passage.current?.scrollIntoView({ block: "center" });
  }, [painted, open]);

  return (
    <aside className="pdf" aria-label="Page" data-painted={painted}>
      <div className="row small pdf-bar">
        <b className="grow ellipsis">{open.title}</b>
        <button
          type="button"
          className="btn ghost icon"
          aria-label="Page before"
          disabled={page <= 1}
          onClick={() => setPage(page - 1)}
        >
          <ChevronLeft size={15} />
        </button>
        <span className="muted">
          page {page} of {document?.numPages ?? "…"}
        </span>
        <button
          type="button"
          className="btn ghost icon"
          aria-label="Page after"
          disabled={page >= (document?.numPages ?? 1)}
          onClick={() => setPage(page + 1)}
        >
          <ChevronRight size={15} />
        </button>
        <button type="button" className="btn ghost icon" aria-label="Close the page" onClick={onClose}>
          <X size={15} />
        </button>
      </div>
      {error !== null && <Failure error={error} />}
      <div ref={place} className="sheet">
        <canvas ref={canvas} aria-label={`Page ${page} of ${open.title}`} role="img" />
        {painted === page &&
          boxes.map((box, index) => (
            <div
              key={index}
              ref={index === 0 ? passage : undefined}
              className="passage"
              style={{
                left: box.x * scale,
                top: box.y * scale,
                width: box.width * scale,
                height: box.height * scale,
              }}
            />
          ))}
      </div>
    </aside>
  );
}
