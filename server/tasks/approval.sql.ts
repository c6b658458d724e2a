import type { PageQuery } from "../../contract/api.ts";
import type { OnTimeout } from "../../contract/approvals.ts";
import { type Approvers, entriesFor, type Member } from "../../contract/approvers.ts";
import type { DecisionRecord } from "../engine/approval-store.ts";
import { type ResultPage, toResultPage } from "../lib/result-page.ts";
import type { Db, Row } from "../storage/db.ts";
import { toDecisionRecord } from "../storage/engine/decision-rows.ts";

export interface ApprovalFilter extends PageQuery {
  taskId?: string | undefined;
}

export interface PendingApproval {
  taskId: string;
  workflowId: string;
  stepId: string;
  message: string;
  /** JSON of the data shown with the question. */
  context: string | null;
  requestedAt: number;
  dueAt: number | null;
  onTimeout: OnTimeout | null;
  approvers: Approvers;
  requiredApprovals: number;
  decisions: DecisionRecord[];
  notice: { attempts: number; sentAt: number | null; error: string | null };
}

export type ApprovalStore = ReturnType<typeof createApprovalStore>;

const OF_APPROVAL = "x.task_id = a.task_id and x.path = a.path and x.seq = a.seq";
/** `replace` finds text in a list in JSON, in both databases and without wildcards: an address may contain `_`. */
const IS_LISTED = `exists (select 1 from json_each(cast($entries as text)) as entry
  where replace(a.approvers, '"' || entry.value || '"', '') <> a.approvers)`;
const IS_MINE = `(a.approvers is null or ${IS_LISTED})
  and not exists (select 1 from approval_decision as x where ${OF_APPROVAL} and x.decider = $userId)`;

export function createApprovalStore(db: Db) {
  /** Decisions and personal links of the named ones among these rows; others have none while they are open. */
  async function addPeople(rows: readonly Row[]): Promise<{ decisions: Row[]; links: Row[] }> {
    const named = rows.filter((row) => row["approvers"] !== null || Number(row["required_approvals"]) > 1);
    if (named.length === 0) return { decisions: [], links: [] };
    const params = { ids: JSON.stringify([...new Set(named.map((row) => row["task_id"]))]) };
    const of = (table: string, columns: string) =>
      db.query(
        `select ${columns} from approval as a join ${table} as x on ${OF_APPROVAL}
         where a.task_id in (select value from json_each(cast($ids as text))) and a.decided_at is null`,
        params,
      );
    const [decisions, links] = await Promise.all([
      of("approval_decision", "x.*"),
      of("approval_link", "x.task_id, x.path, x.notice_attempts, x.notice_sent_at, x.notice_error"),
    ]);
    return { decisions, links };
  }

  return {
    /** With `member`, only those that wait for their decision. */
    async list(
      ownerId: string,
      { limit, cursor, taskId }: ApprovalFilter,
      member?: Member,
    ): Promise<ResultPage<PendingApproval>> {
      const [requestedAt, path] = splitCursor(cursor);
      const ofTask = taskId === undefined ? "" : " and a.task_id = $taskId";
      const rows = await db.query(
        `select a.task_id, a.path, a.message, a.context, a.requested_at, a.due_at, a.on_timeout, a.approvers, a.required_approvals,
           a.notice_attempts, a.notice_sent_at, a.notice_error, t.workflow_id
         from approval as a join task as t on t.id = a.task_id
         where a.owner_id = $ownerId${ofTask} and a.decided_at is null
           and t.status not in ('completed', 'failed', 'cancelled', 'rejected')
           ${member === undefined ? "" : `and ${IS_MINE}`}
           and (a.requested_at < $requestedAt or (a.requested_at = $requestedAt and a.task_id || a.path < $path))
         order by a.requested_at desc, a.task_id || a.path desc limit $limit`,
        {
          ownerId,
          requestedAt,
          path,
          limit: limit + 1,
          taskId: taskId ?? null,
          ...(member && { entries: JSON.stringify(entriesFor(member)), userId: member.id }),
        },
      );
      const { decisions, links } = await addPeople(rows);
      const approvals = rows.map((row) => {
        const isSame = (other: Row) => other["task_id"] === row["task_id"] && other["path"] === row["path"];
        const emails = links.filter(isSame).filter((link) => Number(link["notice_attempts"]) > 0);
        return toApproval(row, decisions.filter(isSame), emails);
      });
      return toResultPage(approvals, limit, (entry) => `${entry.requestedAt}:${entry.taskId}${entry.stepId}`);
    },
  };
}

function toApproval(row: Row, decisions: readonly Row[], emails: readonly Row[]): PendingApproval {
  const failed = emails.find((email) => email["notice_error"] !== null);
  const notice = failed ?? emails[0] ?? row;
  return {
    taskId: row["task_id"] as string,
    workflowId: row["workflow_id"] as string,
    stepId: row["path"] as string,
    message: row["message"] as string,
    context: row["context"] as string | null,
    requestedAt: Number(row["requested_at"]),
    dueAt: timeOf(row["due_at"]),
    onTimeout: row["on_timeout"] as OnTimeout | null,
    approvers: JSON.parse((row["approvers"] as string | null) ?? "null") as Approvers,
    requiredApprovals: Number(row["required_approvals"]),
    decisions: decisions.map(toDecisionRecord).toSorted((a, b) => (a.id < b.id ? -1 : 1)),
    notice: {
      attempts: Number(notice["notice_attempts"]),
      sentAt: timeOf(notice["notice_sent_at"]),
      error: notice["notice_error"] as string | null,
    },
  };
}

function timeOf(value: unknown): number | null {
  return value === null || value === undefined ? null : Number(value);
}

function splitCursor(cursor: string | undefined): [number, string] {
  const [time = "", ...rest] = (cursor ?? "").split(":");
  return [Number(time || Number.MAX_SAFE_INTEGER) || 0, rest.join(":")];
}
