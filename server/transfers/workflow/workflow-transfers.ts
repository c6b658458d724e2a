import type { TransferNeeds } from "../../../contract/transfers.ts";
import { type Clock, laterThan } from "../../lib/clock.ts";
import type { Drafts } from "../../workflows/drafts.ts";
import type { WorkflowRecord } from "../../workflows/workflow-rows.sql.ts";
import type { Workflows } from "../../workflows/workflows.ts";
import type { NeedStore } from "../needs.sql.ts";
import { transferConflict } from "../transfer-conflict.ts";
import type { AssertTarget, KindTransfers, Transfer } from "../transfer.ts";
import type { HistoryMoves } from "./history-moves.ts";
import type { MoveStore } from "./move.sql.ts";

export interface WorkflowTransfersDeps {
  workflows: Pick<Workflows, "get" | "export" | "create">;
  drafts: Pick<Drafts, "find">;
  needs: NeedStore;
  moves: MoveStore;
  history: Pick<HistoryMoves, "advance" | "poll">;
  clock: Clock;
  assertTarget: AssertTarget;
}

/** Takes workflows to another workspace. Credentials and values of variables stay where they are. */
export function createWorkflowTransfers({
  workflows,
  drafts,
  needs,
  moves,
  history,
  clock,
  assertTarget,
}: WorkflowTransfersDeps): KindTransfers {
  async function begin(transfer: Transfer): Promise<WorkflowRecord> {
    const workflow = await workflows.get(transfer.workspaceId, transfer.id);
    await assertTarget(transfer);
    return workflow;
  }

  async function findNeeds(
    { workspaceId, id, targetId }: Transfer,
    { metadata, settings, apiSettings, form }: WorkflowRecord,
    moved = "",
  ): Promise<TransferNeeds> {
    const text = JSON.stringify({ metadata, settings }) + moved;
    return {
      ...(await needs.find({ ownerId: workspaceId, recordId: id, text }, targetId)),
      endpoint: apiSettings.enabled || form?.enabled === true,
    };
  }

  return {
    async copy(transfer) {
      const { workspaceId, userId, id, targetId, dryRun } = transfer;
      const source = await begin(transfer);
      // Of a workflow that was never published, the draft is all there is.
      const draft = source.version === 0 ? await drafts.find(workspaceId, id) : undefined;
      const text = draft === undefined ? "" : JSON.stringify(draft.metadata);
      const report = { needed: await findNeeds(transfer, source, text), conflicts: [] };
      if (dryRun) return { id: null, ...report };
      const { metadata, settings, apiSettings, form } = source;
      const { name, description, tags, versions } = await workflows.export(workspaceId, id);
      const history = versions.map((entry, index) => ({
        ...entry,
        version: index + 1,
        createdAt: Date.parse(entry.createdAt),
      }));
      const given = {
        ...(source.version === 0 && { published: false as const, draft }),
        name,
        description,
        metadata,
        tags,
        history,
        // Nothing starts it before the other workspace has what it needs.
        apiSettings: { ...apiSettings, enabled: false, endpointName: null },
        copiedSettings: settings,
        form: form && { ...form, enabled: false },
        note: `Copied from another workspace`,
      };
      const { workflow } = await workflows.create(targetId, given, userId, metadata);
      return { id: workflow.id, ...report };
    },

    /** The workflow keeps its id, versions, draft, addresses, schedules and triggers. Its runs follow in batches. */
    async move(transfer) {
      const { workspaceId: sourceId, userId, id, targetId, dryRun } = transfer;
      const workflow = await begin(transfer);
      const found = { workflowId: id, sourceId, targetId };
      const report = {
        needed: await findNeeds(transfer, workflow, await needs.movedText(sourceId, id)),
        usedBy: await needs.findUses(sourceId, id),
      };
      const conflicts = await moves.findConflicts(found);
      if (dryRun) return { id: null, ...report, conflicts, isMoving: false };
      if (conflicts.length > 0) throw transferConflict("workflow", conflicts);
      if (!(await moves.move({ ...found, userId, now: laterThan(workflow.updatedAt, clock) }))) {
        // A run began, a name was taken or a right was lost since the check; otherwise it was changed, and the caller repeats the move.
        await begin(transfer);
        throw transferConflict("workflow", await moves.findConflicts(found));
      }
      const isMoving = await history.advance(id);
      if (isMoving) history.poll();
      return { id, ...report, conflicts: [], isMoving };
    },
  };
}
