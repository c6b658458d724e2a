import { useEffect, useRef, useState } from "react";
import { useDocumentPage } from "../../api/documents.ts";
import { Failure, Skeleton } from "../../ui/states.tsx";
import type { OpenPage } from "./open-page.ts";
import { PageBar } from "./page-bar.tsx";

/** The text of one page with the cited passage highlighted, for every format but PDF. */
export function TextViewer({ open, onClose }: { open: OpenPage; onClose: () => void }) {
  const [page, setPage] = useState(open.page);
  useEffect(() => setPage(open.page), [open]);
  const { data, error } = useDocumentPage(open.documentId, page);
  const passage = useRef<HTMLElement>(null);
  useEffect(() => {
    passage.current?.scrollIntoView({ block: "center" });
  }, [data, open]);
  const quote = page === open.page ? open.quote : undefined;
  return (
    <aside className="pdf" aria-label="Page" data-painted={data?.page ?? 0}>
      <PageBar title={open.title} page={page} pages={data?.pages} onPage={setPage} onClose={onClose} />
      {error !== null && <Failure error={error} />}
      {data === undefined && error === null && <Skeleton rows={8} height={20} />}
      {data !== undefined && (
        <article className="card pad text-page">
          {data.location !== undefined && <p className="xs muted">{data.location}</p>}
          <p className="text">
            {quote === undefined ? (
              data.text
            ) : (
              <>
                {data.text.slice(0, quote.start)}
                <mark ref={passage}>{data.text.slice(quote.start, quote.end)}</mark>
                {data.text.slice(quote.end)}
              </>
            )}
          </p>
        </article>
      )}
    </aside>
  );
}
