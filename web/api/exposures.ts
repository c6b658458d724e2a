import { useQuery } from "@tanstack/react-query";
import type {
  ChangeExposure,
  ClientCall,
  Exposure,
  ExposureKind,
  Protocol,
} from "../../contract/exposures.ts";
import { request } from "./client.ts";
import { useApiMutation } from "./mutation.ts";
import { useAll, usePages } from "./pages.ts";

export type { ClientCall, Exposure, ExposureKind, Protocol };

const POLL_MS = 5000;

export function useExposurePages(kind: ExposureKind | "") {
  return usePages({ noun: "exposures", path: "/api/exposures", filter: { kind } });
}

/** Everything that can be exposed, for the names in the settings of clients. */
export function useAllExposures() {
  return useAll({ noun: "exposures", path: "/api/exposures" });
}

export function useExposure(kind: ExposureKind, id: string) {
  return useQuery({
    queryKey: ["exposures", kind, id],
    queryFn: () => request("exposure", `/api/exposures/${kind}/${id}`),
    select: (response) => response.exposure,
  });
}

export function useCallPages(protocol: Protocol | "") {
  return usePages(
    { noun: "calls", path: "/api/client-calls", filter: { protocol }, operation: "listClientCalls" },
    { pollMs: POLL_MS, alwaysFresh: true },
  );
}

export function useChangeExposure({ kind, recordId }: Exposure, onSuccess?: () => void) {
  return useApiMutation(
    ["exposures"],
    async (body: ChangeExposure) =>
      (await request("exposure", `/api/exposures/${kind}/${recordId}`, { method: "PUT", body })).exposure,
    onSuccess,
  );
}
