import { allSteps } from "../../contract/graph/all-steps.ts";
import type { Statement } from "../storage/db.ts";
import type { LooseGraph } from "./version.sql.ts";

/** Apps that ship with Baton cannot be deleted, so only those of users are looked up. */
const OWN_APP = /^api_/;

/**
 * Replaces what the live version uses, in the write that stores it: nothing changes unless the workflow was stored with this
 * time. What uses a connection is found without reading graphs.
 */
export function replaceUses(workflowId: string, graph: LooseGraph, updatedAt: number): Statement[] {
  const stored = "from workflow where id = $workflowId and updated_at = $updatedAt";
  return replace(stored, 0, graph, { workflowId, updatedAt });
}

/** As `replaceUses`, for the draft. */
export function replaceDraftUses(
  { workflowId, revision, updatedAt }: { workflowId: string; revision: number; updatedAt: number },
  graph: LooseGraph,
): Statement[] {
  const stored =
    "from workflow_draft where workflow_id = $workflowId and revision = $revision and updated_at = $updatedAt";
  return replace(stored, 1, graph, { workflowId, revision, updatedAt });
}

/** After a workflow was deleted. */
export function removeUses(workflowId: string): Statement {
  return {
    sql: `delete from workflow_use where workflow_id = $workflowId
            and exists (select 1 from workflow where id = $workflowId and deleted_at is not null)`,
    params: { workflowId },
  };
}

/** After a draft was published or discarded. */
export function removeDraftUses(workflowId: string): Statement {
  return {
    sql: `delete from workflow_use where workflow_id = $workflowId and is_draft = 1
            and not exists (select 1 from workflow_draft where workflow_id = $workflowId and graph is not null)`,
    params: { workflowId },
  };
}

function replace(
  stored: string,
  isDraft: 0 | 1,
  graph: LooseGraph,
  params: { workflowId: string } & Record<string, string | number>,
): Statement[] {
  const ids = usedIdsOf(graph);
  const removed: Statement = {
    sql: `delete from workflow_use where workflow_id = $workflowId and is_draft = ${isDraft} and exists (select 1 ${stored})`,
    params,
  };
  if (ids.length === 0) return [removed];
  const added: Statement = {
    sql: `insert into workflow_use (used_id, workflow_id, is_draft)
          select e.value, $workflowId, ${isDraft} from json_each(cast($ids as text)) as e where exists (select 1 ${stored})`,
    params: { ...params, ids: JSON.stringify(ids) },
  };
  return [removed, added];
}

function usedIdsOf(graph: LooseGraph): string[] {
  const ids = allSteps(graph).flatMap(({ connection, app }) => [
    ...(typeof connection === "string" && connection !== "" ? [connection] : []),
    ...(typeof app === "string" && OWN_APP.test(app) ? [app] : []),
  ]);
  return [...new Set(ids)];
}
