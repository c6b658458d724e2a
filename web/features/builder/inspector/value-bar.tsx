import { useContext, useEffect } from "react";
import { scopeOptions } from "../../../flow/step-scope.ts";
import { ActiveFieldContext, ScopeContext } from "../placeholders/scope-context.ts";

const MAX_VALUES = 20;

/** On a phone: values as chips above the keyboard, while a field has the focus. The style sheet hides it elsewhere. */
export function ValueBar() {
  const scope = useContext(ScopeContext);
  const active = useContext(ActiveFieldContext);
  useKeyboardInset();
  return (
    <div className="value-bar" role="group" aria-label="Values to insert">
      {scopeOptions(scope)
        .slice(0, MAX_VALUES)
        .map(({ path, label }) => (
          <button
            key={path}
            type="button"
            className="ph-chip"
            // The field keeps the focus, so that the keyboard stays open.
            onPointerDown={(event) => event.preventDefault()}
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => active.current?.insert(path)}
          >
            {label}
          </button>
        ))}
    </div>
  );
}

/** Sets `--keyboard` to the height that the keyboard covers: a browser on a phone does not resize the page for it. */
function useKeyboardInset(): void {
  useEffect(() => {
    const viewport = window.visualViewport;
    if (viewport === null) return;
    const update = (): void =>
      document.documentElement.style.setProperty(
        "--keyboard",
        `${Math.max(0, Math.round(innerHeight - viewport.height - viewport.offsetTop))}px`,
      );
    viewport.addEventListener("resize", update);
    return () => {
      viewport.removeEventListener("resize", update);
      document.documentElement.style.removeProperty("--keyboard");
    };
  }, []);
}
