import { useQuery } from "@tanstack/react-query";
import { includesRole } from "../../contract/role-order.ts";
import type { CopyReport, MoveReport, TransferKind } from "../../contract/transfers.ts";
import { useWorkspace } from "./accounts.ts";
import { request } from "./client.ts";
import { useApiMutation } from "./mutation.ts";
import type { Operation } from "./permissions.ts";

export type { TransferKind };
export type Verb = "copy" | "move";
/** A copy has no `usedBy`: everything here stays. */
export type TransferReport = CopyReport & Partial<MoveReport>;

/** The record that goes to another workspace. */
export interface TransferredRecord {
  kind: TransferKind;
  id: string;
  name: string;
}

const PATHS: Readonly<Record<TransferKind, string>> = {
  workflow: "/api/workflows",
  agent: "/api/agents",
  team: "/api/agent-teams",
  template: "/api/templates",
  document: "/api/v1/documents",
};

/** A copy needs no more than the role of a reader. */
export const MOVE_OPERATIONS = {
  workflow: "moveWorkflow",
  agent: "moveAgent",
  team: "moveTeam",
  template: "moveTemplate",
  document: "moveDocument",
} as const satisfies Readonly<Record<TransferKind, Operation>>;

/** The other workspaces in which the person may create records. */
export function useTransferTargets() {
  const { workspaces, workspace } = useWorkspace();
  return workspaces.filter(({ id, role }) => id !== workspace?.id && includesRole(role, "builder"));
}

function send(
  { kind, id }: TransferredRecord,
  verb: Verb,
  workspaceId: string,
  dryRun: boolean,
): Promise<TransferReport> {
  const path = `${PATHS[kind]}/${id}/${verb}${dryRun ? "?dryRun=true" : ""}`;
  return request(verb === "copy" ? "copied" : "moved", path, { body: { workspaceId } });
}

/** What would happen; nothing is changed. */
export function useTransferReport(record: TransferredRecord, verb: Verb, workspaceId: string) {
  return useQuery({
    queryKey: ["transfer", record.kind, record.id, verb, workspaceId],
    queryFn: () => send(record, verb, workspaceId, true),
    enabled: workspaceId !== "",
    // Runs may have ended since.
    gcTime: 0,
  });
}

/** The lists of this workspace are read again when the dialog closes: the row that shows it would be gone. */
export function useTransfer(record: TransferredRecord) {
  return useApiMutation([], ({ verb, workspaceId }: { verb: Verb; workspaceId: string }) =>
    send(record, verb, workspaceId, false),
  );
}
