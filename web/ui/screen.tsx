import { Menu } from "lucide-react";
import { type ReactNode, useEffect } from "react";
import { useScrollMemory } from "./use-scroll-memory.ts";

interface ScreenProps {
  title: string;
  /** What stands left of the title: where the person came from. */
  path?: ReactNode;
  /** Right of the title: status, counts. */
  beside?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
}

/** One screen, one job: a bar with its name and its actions, and the work below. */
export function Screen({ title, path, beside, actions, children }: ScreenProps) {
  const scroll = useScrollMemory();
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
        {path !== undefined && <span className="muted wide-only">{path}</span>}
        <h1>{title}</h1>
        {beside}
        <span className="grow" />
        {actions !== undefined && <div className="top-actions">{actions}</div>}
      </header>
      <main className="body" tabIndex={-1} {...scroll}>
        {children}
      </main>
    </div>
  );
}
