import { Menu } from "lucide-react";
import { type ReactNode, useEffect } from "react";
import { useScrollRestoration } from "./use-scroll-restoration.ts";

interface ScreenProps {
  title: string;
  /** Makes the title a button that opens what changes it. */
  onRename?: () => void;
  /** Breadcrumbs, left of the title. */
  breadcrumbs?: ReactNode;
  /** Status and counts, right of the title. */
  titleInfo?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
}

/** A screen: a bar with title and actions, and a scrolling body. */
export function Screen({ title, onRename, breadcrumbs, titleInfo, actions, children }: ScreenProps) {
  const scroll = useScrollRestoration();
  useEffect(() => {
    document.title = `${title} · Baton`;
  }, [title]);
  return (
    <div className="main">
      <header className="top">
        <button
          type="button"
          className="btn ghost icon menu-button"
          aria-label="Menu"
          onClick={() => dispatchEvent(new Event("baton:menu"))}
        >
          <Menu size={18} />
        </button>
        {breadcrumbs !== undefined && <span className="muted wide-only">{breadcrumbs}</span>}
        <h1>
          {onRename === undefined ? (
            title
          ) : (
            <button type="button" className="title-button ellipsis" title="Rename" onClick={onRename}>
              {title}
            </button>
          )}
        </h1>
        {titleInfo}
        <span className="grow" />
        {actions !== undefined && <div className="top-actions">{actions}</div>}
      </header>
      <main className="body" tabIndex={-1} {...scroll}>
        {children}
      </main>
    </div>
  );
}
