import * as pdfjs from "pdfjs-dist";
// oxlint-disable-next-line import/default -- Vite exports the URL of the file as default.
import workerUrl from "pdfjs-dist/build/pdf.worker.min.mjs?url";
import { useEffect, useRef, useState } from "react";
import { documentFile } from "../../api/documents.ts";
import { Failure } from "../../ui/states.tsx";
import type { OpenPage } from "./open-page.ts";
import { PageBar } from "./page-bar.tsx";

pdfjs.GlobalWorkerOptions.workerSrc = workerUrl;

function useDocument(documentId: string) {
  const [document, setDocument] = useState<pdfjs.PDFDocumentProxy>();
  const [error, setError] = useState<unknown>(null);
  useEffect(() => {
    const loading = pdfjs.getDocument({
      ...documentFile(documentId),
      cMapUrl: "/pdf/cmaps/",
      standardFontDataUrl: "/pdf/standard_fonts/",
      // The Content-Security-Policy forbids WebAssembly.
      useWasm: false,
    });
    loading.promise.then(setDocument, () =>
      setError(new Error("This page cannot be shown. The file may have been deleted.")),
    );
    return () => void loading.destroy();
  }, [documentId]);
  return { document, error };
}

/** One page of a PDF with the cited passage highlighted. */
export function PdfViewer({ open, onClose }: { open: OpenPage; onClose: () => void }) {
  const { document, error } = useDocument(open.documentId);
  const [page, setPage] = useState(open.page);
  const [scale, setScale] = useState(1);
  const [renderedPage, setRenderedPage] = useState(0);
  const canvas = useRef<HTMLCanvasElement>(null);
  const container = useRef<HTMLDivElement>(null);
  const passage = useRef<HTMLDivElement>(null);
  useEffect(() => setPage(open.page), [open]);

  useEffect(() => {
    if (document === undefined) return;
    let cancelled = false;
    let task: pdfjs.RenderTask | undefined;
    void (async () => {
      const pdfPage = await document.getPage(page);
      const target = canvas.current;
      if (cancelled || target === null || container.current === null) return;
      const fitScale = container.current.clientWidth / pdfPage.getViewport({ scale: 1 }).width;
      const pixelRatio = Math.min(devicePixelRatio, 2);
      const viewport = pdfPage.getViewport({ scale: fitScale * pixelRatio });
      target.width = viewport.width;
      target.height = viewport.height;
      setScale(fitScale);
      task = pdfPage.render({ canvas: target, viewport });
      await task.promise;
      setRenderedPage(page);
    })().catch(() => {
      // Rendering is cancelled when the user turns the page.
    });
    return () => {
      cancelled = true;
      task?.cancel();
    };
  }, [document, page]);
  const boxes = page === open.page ? open.boxes : [];
  useEffect(() => {
    passage.current?.scrollIntoView({ block: "center" });
  }, [renderedPage, open]);

  return (
    <aside className="pdf" aria-label="Page" data-painted={renderedPage}>
      <PageBar title={open.title} page={page} pages={document?.numPages} onPage={setPage} onClose={onClose} />
      {error !== null && <Failure error={error} />}
      <div ref={container} className="sheet">
        <canvas ref={canvas} aria-label={`Page ${page} of ${open.title}`} role="img" />
        {renderedPage === page &&
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
