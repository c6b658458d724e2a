import { useEffect } from "react";

const parts = [
  () => import("./canvas/step-picker.tsx"),
  () => import("./inspector/inspector.tsx"),
  () => import("./placeholders/value-editor.ts"),
];

/**
 * Loads what editing needs when the user first touches the page. Most visits change nothing, and a user who loses the
 * network before the first edit can still open a step.
 */
export function usePreload(): void {
  useEffect(() => {
    const preload = (): void => {
      stop();
      for (const load of parts) void load().catch(() => undefined);
    };
    const stop = (): void => {
      removeEventListener("pointermove", preload);
      removeEventListener("keydown", preload);
    };
    addEventListener("pointermove", preload);
    addEventListener("keydown", preload);
    return stop;
  }, []);
}
