import { lazyComponent } from "../../ui/lazy-component.ts";

/** Most visits show workflows instead: their first screen does not wait for it. */
export const FirstRun = lazyComponent(() => import("./first-run.tsx"), "FirstRun");
