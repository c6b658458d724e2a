import { Suspense } from "react";
import { lazyComponent } from "../../ui/lazy-component.ts";

const Name = lazyComponent(() => import("./step-name.tsx"), "StepName");

/** Loaded when there is one to show: titles need the catalogue of steps, which the first screen does not carry. */
export function StepName(props: { workflowId: string; path: string }) {
  return (
    <Suspense fallback={props.path}>
      <Name {...props} />
    </Suspense>
  );
}
