import type { TransferConflict } from "../../../contract/transfers.ts";
import { signatureContext, triggerContext } from "../../security/seal-contexts.ts";
import type { SecretBox } from "../../security/secret-box.ts";
import type { Db, Statement } from "../../storage/db.ts";
import { mayBuild } from "../../workspaces/may-build.ts";

export interface WorkflowMove {
  workflowId: string;
  sourceId: string;
  targetId: string;
  userId: string;
  now: number;
}

/** The partial index `task_not_completed` answers it without reading the history. */
const OPEN_RUNS = `from task where owner_id = $sourceId and status <> 'completed'
  and status in ('queued', 'running', 'waiting', 'waiting_approval') and workflow_id = $workflowId`;
const TAKEN_SOURCES = `from webhook as w where w.owner_id = $sourceId and w.workflow_id = $workflowId
  and exists (select 1 from webhook as t where t.owner_id = $targetId and t.source = w.source)`;
const TAKEN_NAMES = `from exposure as e where e.owner_id = $sourceId and e.kind = 'workflow' and e.record_id = $workflowId
  and exists (select 1 from exposure as t where t.owner_id = $targetId and t.name = e.name)`;
/** True for the statements after the one that moved the workflow. */
const MOVED =
  "exists (select 1 from workflow where id = $workflowId and owner_id = $targetId and updated_at = $now)";

/** Sealed values are bound to their owner, so they are sealed again. */
const SEALED = [
  { table: "webhook", column: "signature_secret", contextOf: signatureContext },
  { table: "triggers", column: "secrets", contextOf: triggerContext },
] as const;

export type MoveStore = ReturnType<typeof createMoveStore>;

/** Gives a workflow, and everything that starts it, another owner in one transaction. Its runs follow in batches. */
export function createMoveStore(db: Db, box: SecretBox) {
  async function reseal({ workflowId, sourceId, targetId, now }: WorkflowMove): Promise<Statement[]> {
    const statements: Statement[] = [];
    for (const { table, column, contextOf } of SEALED) {
      const rows = await db.query<{ id: string; sealed: string }>(
        `select id, ${column} as sealed from ${table}
         where owner_id = $sourceId and workflow_id = $workflowId and ${column} is not null`,
        { sourceId, workflowId },
      );
      for (const { id, sealed } of rows) {
        const value = box.open(sealed, contextOf({ ownerId: sourceId, id }));
        statements.push({
          sql: `update ${table} set ${column} = $next where id = $id and ${column} = $sealed and ${MOVED}`,
          params: {
            id,
            sealed,
            next: box.seal(value, contextOf({ ownerId: targetId, id })),
            workflowId,
            targetId,
            now,
          },
        });
      }
    }
    return statements;
  }

  return {
    async findConflicts(move: Omit<WorkflowMove, "now" | "userId">): Promise<TransferConflict[]> {
      const { workflowId, sourceId, targetId } = move;
      const runs = await db.query<{ id: string; status: string }>(
        `select id, status ${OPEN_RUNS} order by id limit 10`,
        { workflowId, sourceId },
      );
      const sources = await db.query<{ id: string; name: string }>(
        `select w.id as id, w.source as name ${TAKEN_SOURCES} order by w.id`,
        { workflowId, sourceId, targetId },
      );
      const names = await db.query<{ name: string }>(`select e.name as name ${TAKEN_NAMES}`, {
        workflowId,
        sourceId,
        targetId,
      });
      return [
        ...runs.map(({ id, status }) => ({ kind: "run" as const, id, name: status })),
        ...sources.map((source) => ({ kind: "webhook" as const, ...source })),
        ...names.map(({ name }) => ({ kind: "exposure" as const, id: workflowId, name })),
      ];
    },

    /** False when a conflict appeared, or the workflow is no longer in the source. */
    async move(move: WorkflowMove): Promise<boolean> {
      const { workflowId, sourceId, targetId, userId, now } = move;
      const params = { workflowId, sourceId, targetId, now };
      const owned = (table: string, where: string): Statement => ({
        sql: `update ${table} set owner_id = $targetId where owner_id = $sourceId and ${where} and ${MOVED}`,
        params,
      });
      const [moved = []] = await db.batch(
        [
          {
            sql: `update workflow set owner_id = $targetId, updated_at = $now
                  where id = $workflowId and owner_id = $sourceId and deleted_at is null and updated_at < $now
                    and ${mayBuild("$sourceId")} and ${mayBuild("$targetId")}
                    and not exists (select 1 ${OPEN_RUNS})
                    and not exists (select 1 ${TAKEN_SOURCES}) and not exists (select 1 ${TAKEN_NAMES}) returning id`,
            params: { ...params, userId },
          },
          ...["schedule", "triggers", "webhook", "workflow_search"].map((table) =>
            owned(table, "workflow_id = $workflowId"),
          ),
          owned("store_value", "scope = $workflowId"),
          owned("exposure", "kind = 'workflow' and record_id = $workflowId"),
          ...(await reseal(move)),
          ...moveReservations(params),
          {
            sql: `update workspace set error_workflow_id = null where id = $sourceId and error_workflow_id = $workflowId and ${MOVED}`,
            params,
          },
          // It comes back to a workspace from which runs are still being moved.
          {
            sql: `delete from workflow_move where workflow_id = $workflowId and owner_id = $targetId and ${MOVED}`,
            params: { workflowId, targetId, now },
          },
          {
            sql: `insert into workflow_move (workflow_id, owner_id, created_at)
                  select $workflowId, $sourceId, cast($now as bigint) where ${MOVED} on conflict do nothing`,
            params,
          },
        ],
        { alone: true },
      );
      return moved.length === 1;
    },
  };
}

/** The new owner may turn the endpoint off and on again; the former one has given the names away. */
function moveReservations(params: {
  workflowId: string;
  sourceId: string;
  targetId: string;
  now: number;
}): Statement[] {
  const names = `((kind = 'slug' and name in (select endpoint_slug from workflow where id = $workflowId and endpoint_slug is not null))
    or (kind = 'source' and name in (select source from webhook where workflow_id = $workflowId)))`;
  return [
    {
      sql: `insert into name_reservation (kind, name, owner_id, until)
            select kind, name, $targetId, until from name_reservation where owner_id = $sourceId and ${names} and ${MOVED}
            on conflict (kind, name, owner_id) do update set until = excluded.until`,
      params,
    },
    { sql: `delete from name_reservation where owner_id = $sourceId and ${names} and ${MOVED}`, params },
  ];
}
