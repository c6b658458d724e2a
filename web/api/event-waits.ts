import { useQuery } from "@tanstack/react-query";
import type { EventWait } from "../../contract/wait-events.ts";
import { request } from "./client.ts";

/** What a waiting step waits for; null when it no longer waits. */
export function useEventWait(taskId: string, stepId: string) {
  return useQuery({
    queryKey: ["task", taskId, "event-wait", stepId],
    queryFn: async (): Promise<EventWait | null> => {
      const path = `/api/tasks/${taskId}/event-waits?stepId=${encodeURIComponent(stepId)}`;
      return (await request("waits", path)).waits[0] ?? null;
    },
  });
}
