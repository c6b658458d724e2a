import type { Role } from "../../../contract/roles.ts";
import type { MoveReport, TransferConflict, TransferNeeds } from "../../../contract/transfers.ts";
import { type Clock, laterThan } from "../../lib/clock.ts";
import { AppError, invalidRequest } from "../../lib/errors.ts";
import { assertRole, notMember } from "../../security/roles.ts";
import type { WorkflowRecord } from "../workflow.sql.ts";
import type { Workflows } from "../workflows.ts";
import type { HistoryMoves } from "./history-moves.ts";
import type { MoveStore } from "./move.sql.ts";
import type { NeedStore } from "./needs.sql.ts";

export interface TransfersDeps {
  workflows: Pick<Workflows, "get" | "export" | "create">;
  needs: NeedStore;
  moves: MoveStore;
  history: Pick<HistoryMoves, "advance" | "poll">;
  clock: Clock;
  roleOf(workspaceId: string, userId: string): Promise<Role | undefined>;
}

interface Transfer {
  workspaceId: string;
  userId: string;
  workflowId: string;
  targetId: string;
  dryRun: boolean;
}

export type Transfers = ReturnType<typeof createTransfers>;

/** Takes workflows to another workspace. Credentials and values of variables stay where they are. */
export function createTransfers({ workflows, needs, moves, history, clock, roleOf }: TransfersDeps) {
  async function begin({ workspaceId, userId, workflowId, targetId }: Transfer): Promise<WorkflowRecord> {
    const workflow = await workflows.get(workspaceId, workflowId);
    if (targetId === workspaceId)
      throw invalidRequest("The workflow is in this workspace already. Name another one.", [
        { path: "workspaceId", message: "must be another workspace" },
      ]);
    const role = await roleOf(targetId, userId);
    if (role === undefined) throw notMember();
    assertRole(role, "builder");
    return workflow;
  }

  async function findNeeds(
    { workspaceId, workflowId, targetId }: Transfer,
    { metadata, settings, apiSettings, form }: WorkflowRecord,
    moved = "",
  ): Promise<TransferNeeds> {
    const text = JSON.stringify({ metadata, settings }) + moved;
    return {
      ...(await needs.find({ ownerId: workspaceId, workflowId, text }, targetId)),
      endpoint: apiSettings.enabled || form?.enabled === true,
    };
  }

  return {
    async copy(transfer: Transfer): Promise<{ workflowId: string | null; needed: TransferNeeds }> {
      const { workspaceId, userId, workflowId, targetId, dryRun } = transfer;
      const source = await begin(transfer);
      const needed = await findNeeds(transfer, source);
      if (dryRun) return { workflowId: null, needed };
      const { metadata, apiSettings, form } = source;
      const { name, description, tags, versions } = await workflows.export(workspaceId, workflowId);
      const history = versions.map((entry, index) => ({
        ...entry,
        version: index + 1,
        createdAt: Date.parse(entry.createdAt),
      }));
      const given = {
        name,
        description,
        metadata,
        tags,
        history,
        // Nothing starts it before the other workspace has what it needs.
        apiSettings: { ...apiSettings, enabled: false, endpointName: null },
        form: form && { ...form, enabled: false },
        note: `Copied from another workspace`,
      };
      const { workflow } = await workflows.create(targetId, given, userId, metadata);
      return { workflowId: workflow.id, needed };
    },

    /** The workflow keeps its id, versions, draft, addresses, schedules and triggers. Its runs follow in batches. */
    async move(transfer: Transfer): Promise<MoveReport> {
      const { workspaceId: sourceId, workflowId, targetId, dryRun } = transfer;
      const workflow = await begin(transfer);
      const found = { workflowId, sourceId, targetId };
      const report = {
        needed: await findNeeds(transfer, workflow, await needs.movedText(sourceId, workflowId)),
        usedBy: await needs.findUses(sourceId, workflowId),
      };
      const conflicts = await moves.findConflicts(found);
      if (dryRun) return { workflowId: null, ...report, conflicts, movesRuns: false };
      if (conflicts.length > 0) throw transferConflict(conflicts);
      if (!(await moves.move({ ...found, now: laterThan(workflow.updatedAt, clock) }))) {
        // A run began or a name was taken since the check; otherwise it was changed, and the caller repeats the move.
        await workflows.get(sourceId, workflowId);
        throw transferConflict(await moves.findConflicts(found));
      }
      const movesRuns = await history.advance(workflowId);
      if (movesRuns) history.poll();
      return { workflowId, ...report, conflicts: [], movesRuns };
    },
  };
}

function transferConflict(conflicts: readonly TransferConflict[]): AppError {
  const advice = {
    run: "Wait until its runs have ended, or cancel them.",
    webhook: "Change the source of the webhook here or there.",
    exposure: "Change the name for clients here or there.",
  };
  const [first] = conflicts;
  return new AppError(
    "transfer_conflict",
    `The workflow cannot be moved now. ${first === undefined ? "It was changed at the same time; try again." : advice[first.kind]}`,
    { details: { conflicts } },
  );
}
