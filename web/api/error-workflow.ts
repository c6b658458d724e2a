import { useQuery } from "@tanstack/react-query";
import { request } from "./client.ts";
import { useApiMutation } from "./mutation.ts";

const path = "/api/account/error-workflow";

/** The workflow that runs when a run fails whose own workflow sets none. */
export function useErrorWorkflow() {
  return useQuery({
    queryKey: ["error-workflow"],
    queryFn: () => request("errorWorkflow", path),
    select: (response) => response.errorWorkflowId,
  });
}

export function useSetErrorWorkflow(onSuccess?: () => void) {
  return useApiMutation(
    ["error-workflow"],
    (errorWorkflowId: string | null) =>
      request("errorWorkflow", path, { method: "PUT", body: { errorWorkflowId } }),
    onSuccess,
  );
}
