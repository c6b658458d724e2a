import { ChevronLeft, ChevronRight, X } from "lucide-react";

interface PageBarProps {
  title: string;
  page: number;
  pages: number | undefined;
  onPage: (page: number) => void;
  onClose: () => void;
}

/** The title of the open document and buttons that turn its pages. */
export function PageBar({ title, page, pages, onPage, onClose }: PageBarProps) {
  return (
    <div className="row small pdf-bar">
      <b className="grow ellipsis">{title}</b>
      <button
        type="button"
        className="btn ghost icon"
        aria-label="Previous page"
        disabled={page <= 1}
        onClick={() => onPage(page - 1)}
      >
        <ChevronLeft size={15} />
      </button>
      <span className="muted">
        page {page} of {pages ?? "…"}
      </span>
      <button
        type="button"
        className="btn ghost icon"
        aria-label="Next page"
        disabled={page >= (pages ?? 1)}
        onClick={() => onPage(page + 1)}
      >
        <ChevronRight size={15} />
      </button>
      <button type="button" className="btn ghost icon" aria-label="Close page" onClick={onClose}>
        <X size={15} />
      </button>
    </div>
  );
}
