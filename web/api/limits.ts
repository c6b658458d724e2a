import { useQuery } from "@tanstack/react-query";
import { request } from "./client.ts";

export type { Limit } from "../../contract/limits.ts";

/** Every limit of the workspace with its use. */
export function useLimits() {
  return useQuery({
    queryKey: ["limits"],
    queryFn: async () => (await request("limits", "/api/limits")).limits,
  });
}
