import type { PageQuery } from "../../contract/api.ts";
import { APPROVING_ROLE, isNamed, mayApprove, mayDecide, type Member } from "../../contract/approvers.ts";
import { includesRole, type Role } from "../../contract/roles.ts";
import type { Engine } from "../engine/engine-api.ts";
import { AppError, notFound } from "../lib/errors.ts";
import { toResultPage } from "../lib/result-page.ts";
import type { ApprovalFilter, ApprovalStore, PendingApproval } from "./approval.sql.ts";

/** The person who asks, and their role where the route has checked it. A program may act for no person. */
export interface Viewer {
  userId: string | undefined;
  role?: Role;
}

interface LinkCreator {
  userId: string;
  role: Role;
}

export interface ApprovalsDeps {
  store: ApprovalStore;
  engine: Pick<Engine, "approval" | "decisions" | "linkApproval" | "resendApprovalEmails">;
  listMembers(workspaceId: string): Promise<Member[]>;
  /** Throws `task_not_found` or `forbidden`. */
  requireTask(taskId: string, workspaceId: string): Promise<unknown>;
}

/** The viewer among the members of the workspace. */
interface Known {
  member: Member;
  members: readonly Member[];
}

export type ViewedApproval = PendingApproval & { canDecide: boolean };

/** Open approvals, their personal links, and the record of decisions. */
export function createApprovals({ store, engine, listMembers, requireTask }: ApprovalsDeps) {
  async function membersFor(workspaceId: string, userId: string | undefined): Promise<Known | undefined> {
    if (userId === undefined || userId === "") return undefined;
    const members = await listMembers(workspaceId);
    const member = members.find(({ id }) => id === userId);
    return member && { member, members };
  }

  return {
    /** With `mine`, only those that wait for the viewer. */
    async list(
      workspaceId: string,
      { mine = false, ...filter }: ApprovalFilter & { mine?: boolean | undefined },
      viewer?: Viewer,
    ) {
      const own = mine && viewer !== undefined ? await membersFor(workspaceId, viewer.userId) : undefined;
      if (mine && (own === undefined || !mayApprove(null, own.member)))
        return { items: [], nextCursor: null };
      const { items, nextCursor } = await store.list(workspaceId, filter, own?.member);
      // Only a list of names needs the address of the viewer.
      const known =
        own ??
        (viewer !== undefined && items.some(isNamed)
          ? await membersFor(workspaceId, viewer.userId)
          : undefined);
      return {
        items: items.map((item) => ({ ...item, canDecide: canDecide(item, viewer, known) })),
        nextCursor,
      };
    },

    /** Throws `approval_not_found` or `task_not_waiting`. */
    async resendEmails(workspaceId: string, taskId: string, stepId: string) {
      await requireTask(taskId, workspaceId);
      if ((await engine.approval(taskId, stepId)) === undefined) throw notFound("approval", stepId);
      if (!(await engine.resendApprovalEmails(taskId, stepId)))
        throw new AppError(
          "task_not_waiting",
          "This approval has no email to send again: it is decided, or its step has no `notifyEmail`.",
        );
    },

    listApprovers: async (workspaceId: string) =>
      (await listMembers(workspaceId)).filter((member) => mayApprove(null, member)),

    /** Newest first; the cursor is the id of the last one. */
    async listDecisions(workspaceId: string, taskId: string, { limit, cursor }: PageQuery) {
      await requireTask(taskId, workspaceId);
      return toResultPage(await engine.decisions(taskId, limit + 1, cursor), limit, ({ id }) => id);
    },

    /**
     * The link of an open approval. One with approvers has a personal link for each of them: it decides in their name, so only
     * they and admins may see it. Throws `approval_not_found` or `forbidden`.
     */
    async link(workspaceId: string, viewer: LinkCreator, taskId: string, stepId: string, email?: string) {
      await requireTask(taskId, workspaceId);
      const approval = await engine.approval(taskId, stepId);
      if (approval === undefined) throw notFound("approval", stepId);
      let approver: { email: string; createdBy: string } | undefined;
      if (isNamed(approval)) {
        const members = await listMembers(workspaceId);
        const wanted = email?.trim().toLowerCase();
        const member = members.find((each) =>
          wanted === undefined ? each.id === viewer.userId : each.email.toLowerCase() === wanted,
        );
        if (member === undefined || !mayDecide(approval, members, member))
          throw new AppError(
            "forbidden",
            `${wanted === undefined ? "You are" : `${wanted} is`} not an approver of this step.`,
          );
        if (member.id !== viewer.userId && !includesRole(viewer.role, "admin"))
          throw new AppError(
            "forbidden",
            "The link of another approver decides in their name. Ask an admin of the workspace.",
          );
        approver = { email: member.email.toLowerCase(), createdBy: viewer.userId };
      } else if (email !== undefined) {
        throw new AppError("invalid_request", "This approval names no approvers; leave out `approver`.");
      }
      const link = await engine.linkApproval(taskId, stepId, approver);
      if (link === undefined) throw notFound("approval", stepId);
      return link;
    },
  };
}

function canDecide(approval: PendingApproval, viewer: Viewer | undefined, known: Known | undefined): boolean {
  if (!isNamed(approval)) return viewer?.role === undefined || includesRole(viewer.role, APPROVING_ROLE);
  if (known === undefined || !mayDecide(approval, known.members, known.member)) return false;
  return !approval.decisions.some(({ person }) => person?.id === known.member.id);
}
