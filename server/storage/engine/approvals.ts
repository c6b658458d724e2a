import type { Approvers } from "../../../contract/approvers.ts";
import type { JsonValue } from "../../../contract/placeholders/json-value.ts";
import type { ApprovalDecision } from "../../engine/approval-store.ts";
import type { EngineStore } from "../../engine/store.ts";
import { createId } from "../../lib/ids.ts";
import type { Db, Row, Statement } from "../db.ts";
import { toDecisionRecord } from "./decision-rows.ts";
import { decidedEvent, RUN_EVENT_CHANNEL } from "./run-events.ts";
import { OPEN_TREE } from "./task-tree.ts";
import { FINAL, wakeTasks } from "./task-sql.ts";

const OPEN = `a.task_id = $taskId and a.path = $path and a.decided_at is null
  and exists (select 1 from task where id = $taskId and status not in ${FINAL})`;

const HAS_LINK = `(a.link_id = $linkId or exists (
  select 1 from approval_link as l where l.link_id = $linkId and l.task_id = a.task_id and l.path = a.path and l.seq = a.seq))`;

/** The decision `d` belongs to this opening of the approval `a`: an earlier one at the same path has other decisions. */
const OF_APPROVAL = "d.task_id = a.task_id and d.path = a.path and d.seq = a.seq";

export function createApprovalStore(
  db: Db,
): Pick<EngineStore, "decide" | "decision" | "approval" | "decisions" | "openApprovals"> {
  return {
    async decide(taskId, path, given, linkId) {
      const id = createId("dec", given.decidedAt);
      const isTimeout = given.decision === "timeout";
      // The second statement is the decision or, for a timeout, the end of the wait.
      const results = await db.batch(
        [
          {
            // Two transactions that count at once would each miss the decision of the other.
            sql: "select id from task where id = $taskId /*for-update*/",
            params: { taskId },
          },
          ...(isTimeout ? [] : [insertDecision(id, taskId, path, given, linkId)]),
          endWait(isTimeout ? undefined : id, taskId, path, given),
          {
            sql: wakeTasks(
              "id = $taskId and exists (select 1 from approval where task_id = $taskId and decided_at = $now)",
            ),
            params: { taskId, now: given.decidedAt },
          },
          decidedEvent(taskId, path, given),
        ],
        { alone: true },
      );
      if (results.at(-1)!.length > 0) db.notify(RUN_EVENT_CHANNEL, "");
      return results[1]!.length === 1;
    },

    async decision(taskId, path) {
      const [row] = await db.query(
        "select * from approval where task_id = $taskId and path = $path and decided_at is not null",
        { taskId, path },
      );
      return row === undefined ? undefined : toDecision(row);
    },

    async approval(taskId, path) {
      const params = { taskId, path };
      const [row] = await db.query(
        "select owner_id, approvers, required_approvals from approval where task_id = $taskId and path = $path",
        params,
      );
      if (row === undefined) return undefined;
      const decisions = await db.query(
        `select d.* from approval_decision as d join approval as a on ${OF_APPROVAL}
         where a.task_id = $taskId and a.path = $path order by d.at, d.id`,
        params,
      );
      return {
        ownerId: row["owner_id"] as string,
        approvers: JSON.parse((row["approvers"] as string | null) ?? "null") as Approvers,
        requiredApprovals: Number(row["required_approvals"]),
        decisions: decisions.map(toDecisionRecord),
      };
    },

    async decisions(taskId, limit, before) {
      const rows = await db.query(
        `select * from approval_decision where task_id = $taskId ${before === undefined ? "" : "and id < $before"}
         order by id desc limit $limit`,
        { taskId, limit, before: before ?? null },
      );
      return rows.map(toDecisionRecord);
    },

    async openApprovals(taskId) {
      const rows = await db.query(
        `${OPEN_TREE} select a.task_id, a.path from approval as a join task_tree as tree on tree.id = a.task_id
         where a.decided_at is null order by case when a.task_id = $taskId then 0 else 1 end, a.requested_at, a.path`,
        { taskId },
      );
      return rows.map((row) => ({ taskId: row["task_id"] as string, path: row["path"] as string }));
    },
  };
}

/** Returns a row when the approval is open and its person has not decided it. */
function insertDecision(
  id: string,
  taskId: string,
  path: string,
  { decision, comment, data, decidedBy, decidedAt, via = "page", person }: ApprovalDecision,
  linkId: string | undefined,
): Statement {
  return {
    sql: `insert into approval_decision (id, task_id, path, seq, decider, decision, comment, data, decided_by,
            person_id, person_name, person_email, via, link_created_by, at)
          select $id, a.task_id, a.path, a.seq, $decider, $decision, $comment, $data, $decidedBy,
            $personId, $personName, $personEmail, $via,
            (select nullif(l.created_by, '') from approval_link as l where l.link_id = $linkId), cast($decidedAt as bigint)
          from approval as a where ${OPEN} ${linkId === undefined ? "" : `and ${HAS_LINK}`}
          on conflict do nothing returning id`,
    params: {
      id,
      taskId,
      path,
      decider: person?.id ?? decidedBy,
      decision,
      comment,
      data: data === null ? null : JSON.stringify(data),
      decidedBy,
      personId: person?.id ?? null,
      personName: person?.name ?? null,
      personEmail: person?.email ?? null,
      via,
      linkId: linkId ?? null,
      decidedAt,
    },
  };
}

/** Closes the approval: by a timeout, a rejection or the last approval that it needs. */
function endWait(
  decisionId: string | undefined,
  taskId: string,
  path: string,
  { decision, comment, data, decidedBy, decidedAt }: ApprovalDecision,
): Statement {
  const isLast = `and exists (select 1 from approval_decision as d where d.id = $decisionId)
    and ($decision = 'reject'
      or (select count(*) from approval_decision as d where ${OF_APPROVAL} and d.decision = 'approve') >= a.required_approvals)`;
  return {
    sql: `update approval as a set decision = $decision, comment = $comment, data = $data, decided_by = $decidedBy, decided_at = $decidedAt
          where ${OPEN} ${decisionId === undefined ? "" : isLast} returning path`,
    params: {
      taskId,
      path,
      decision,
      comment,
      data: JSON.stringify(data),
      decidedBy,
      decidedAt,
      decisionId: decisionId ?? null,
    },
  };
}

function toDecision(row: Row): ApprovalDecision {
  return {
    decision: row["decision"] as ApprovalDecision["decision"],
    comment: row["comment"] as string | null,
    data: JSON.parse((row["data"] as string | null) ?? "null") as JsonValue,
    decidedBy: row["decided_by"] as string,
    decidedAt: Number(row["decided_at"]),
  };
}
