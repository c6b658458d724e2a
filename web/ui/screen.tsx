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
  /** In the middle of the bar where there is room. */
  center?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
}

/** A screen: a bar with title and actions, and a scrolling body. */
export function Screen({ title, onRename, breadcrumbs, titleInfo, center, actions, children }: ScreenProps) {
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
        <div className="top-start">
          {breadcrumbs !== undefined && <span className="muted wide-only">{breadcrumbs}</span>}
          <h1 title={title}>
            {onRename === undefined ? (
              title
            ) : (
              <button
                type="button"
                className="title-button ellipsis"
                title={`Rename “${title}”`}
                onClick={onRename}
              >
                {title}
              </button>
            )}
          </h1>
          {titleInfo}
        </div>
        {center !== undefined && <div className="top-center">{center}</div>}
        <span className="grow" />
        {actions !== undefined && <div className="top-actions">{actions}</div>}
      </header>
      <main className="body" tabIndex={-1} {...scroll}>
        {children}
      </main>
    </div>
  );
}
