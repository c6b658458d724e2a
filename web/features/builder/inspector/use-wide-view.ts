import { useCallback, useEffect } from "react";
import { useLocation, useSearch } from "wouter";

/** Whether the step is shown wide. The URL holds it, so that a reload and the Back button keep their meaning. */
export function useWideView(stepId: string | undefined) {
  const [path, navigate] = useLocation();
  const search = new URLSearchParams(useSearch());
  const isWide = search.get("view") === "step" && stepId !== undefined;
  const linked = search.get("step");
  const link = useCallback(
    (id: string) => `${path}?${new URLSearchParams({ step: id, view: "step" }).toString()}`,
    [path],
  );
  // Another step was opened, or this one renamed, while the view is wide.
  useEffect(() => {
    if (isWide && linked !== stepId) navigate(link(stepId), { replace: true });
  }, [isWide, linked, stepId, navigate, link]);
  return {
    isWide,
    open: () => stepId !== undefined && navigate(link(stepId)),
    close: () => navigate(path, { replace: true }),
  };
}
