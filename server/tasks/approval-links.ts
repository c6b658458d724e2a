import type { Engine } from "../engine/engine-api.ts";
import type { Clock } from "../lib/clock.ts";
import { AppError, notFound } from "../lib/errors.ts";
import type { SignedLinks } from "../security/signed-links.ts";
import type { ApprovalLinkStore, LinkedApproval } from "./approval-link.sql.ts";

export interface ApprovalLinksDeps {
  store: ApprovalLinkStore;
  engine: Pick<Engine, "decide">;
  verify: SignedLinks["verify"];
  clock: Clock;
}

export type ApprovalLinks = ReturnType<typeof createApprovalLinks>;

/** What a link recorded as the person who decided. */
const DECIDED_BY_LINK = "link";

/** Approvals decided without a login, by the holder of a link. */
export function createApprovalLinks({ store, engine, verify, clock }: ApprovalLinksDeps) {
  async function open(token: string): Promise<LinkedApproval & { linkId: string }> {
    const linkId = verify(token);
    if (linkId === undefined) throw notFound("approval_link");
    const approval = await store.findOpen(linkId, clock.now());
    if (approval === undefined) throw ended();
    return { ...approval, linkId };
  }

  return {
    open,
    async decide(token: string, { approved, comment }: { approved: boolean; comment?: string | undefined }) {
      const { taskId, path, linkId } = await open(token);
      const decision = approved ? ("approve" as const) : ("reject" as const);
      await engine.decide(taskId, {
        decision,
        comment: comment === undefined || comment === "" ? null : comment,
        data: null,
        decidedBy: DECIDED_BY_LINK,
        stepId: path,
        linkId,
      });
      return decision;
    },
  };
}

function ended(): AppError {
  return new AppError(
    "task_not_waiting",
    "This approval has been decided, has expired or is no longer needed.",
  );
}
