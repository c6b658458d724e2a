import type { Member } from "../../contract/approvers.ts";
import type { Engine } from "../engine/engine-api.ts";
import type { ApprovalState } from "../engine/approval-store.ts";
import type { Clock } from "../lib/clock.ts";
import { AppError, notFound } from "../lib/errors.ts";
import type { RecordAction } from "../lib/record-action.ts";
import type { SignedLinks } from "../security/signed-links.ts";
import type { ApprovalLinkStore, LinkedApproval } from "./approval-link.sql.ts";

export interface ApprovalLinksDeps {
  store: ApprovalLinkStore;
  engine: Pick<Engine, "decide" | "approval">;
  verify: SignedLinks["verify"];
  listMembers(workspaceId: string): Promise<Member[]>;
  clock: Clock;
}

export type ApprovalLinks = ReturnType<typeof createApprovalLinks>;

/** What a link without a name recorded as the person who decided. */
const DECIDED_BY_LINK = "link";

/** Approvals decided without a login, by the holder of a link. */
export function createApprovalLinks({ store, engine, verify, listMembers, clock }: ApprovalLinksDeps) {
  async function open(token: string): Promise<OpenLink> {
    const linkId = verify(token);
    if (linkId === undefined) throw notFound("approval_link");
    const linked = await store.findOpen(linkId, clock.now());
    const approval = linked && (await engine.approval(linked.taskId, linked.path));
    if (linked === undefined || approval === undefined) throw ended();
    const { approverEmail, ownerId } = linked;
    if (approverEmail === null) return { ...linked, linkId, approval, member: undefined };
    const members = await listMembers(ownerId);
    const member = members.find(({ email }) => email.toLowerCase() === approverEmail);
    if (member === undefined)
      throw new AppError("forbidden", `${approverEmail} is no longer a member of the workspace.`);
    if (approval.decisions.some(({ person }) => person?.id === member.id))
      throw new AppError("already_decided", "You have already decided this approval.");
    return { ...linked, linkId, approval, member };
  }

  return {
    open,
    /** A token that opens no approval is recorded nowhere: it belongs to no workspace and changes nothing. */
    async decide(
      token: string,
      { approved, comment }: { approved: boolean; comment?: string | undefined },
      record: RecordAction,
    ) {
      const { taskId, path, ownerId, linkId, member } = await open(token);
      const decision = approved ? ("approve" as const) : ("reject" as const);
      const action = {
        action: "decideApprovalByLink",
        url: "/api/tasks/:id",
        params: { id: taskId },
        workspaceId: ownerId,
        actor: {
          kind: "approval_link" as const,
          id: member?.id ?? null,
          name: member === undefined ? null : (member.name ?? member.email),
        },
      };
      await record(action, () =>
        engine.decide(taskId, {
          decision,
          comment: comment === undefined || comment === "" ? null : comment,
          data: null,
          decidedBy: member?.id ?? DECIDED_BY_LINK,
          userId: member?.id,
          via: "link",
          stepId: path,
          linkId,
        }),
      );
      return decision;
    },
  };
}

interface OpenLink extends LinkedApproval {
  linkId: string;
  approval: ApprovalState;
  /** The approver, if the link is personal. */
  member: Member | undefined;
}

function ended(): AppError {
  return new AppError(
    "task_not_waiting",
    "This approval has been decided, has expired or is no longer needed.",
  );
}
