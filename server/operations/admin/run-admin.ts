import { userInfo } from "node:os";
import { createAuditStore } from "../../audit/audit-event.sql.ts";
import { createAuditLog } from "../../audit/audit-log.ts";
import { INSTANCE_CHAIN, type NewEvent } from "../../audit/chain.ts";
import { AppError } from "../../lib/errors.ts";
import { createId } from "../../lib/ids.ts";
import { ADMIN_COMMANDS } from "./admin-commands.ts";
import type { AdminContext } from "./admin-context.ts";
import { openInstance } from "./open-instance.ts";

const MAX_TEXT = 300;

/** Runs a command of `npm run admin`. One that changes something is in the audit log of the instance, before and after it. */
export async function runAdmin(name: string, context: AdminContext): Promise<void> {
  const { run, isRead } = ADMIN_COMMANDS[name]!;
  if (isRead?.(context.args) === true) return run(context);
  const actionId = createId("act", Date.now());
  const record = (event: Pick<NewEvent, "stage" | "outcome" | "error">) =>
    recordCommand(context, { ...event, actionId, action: `admin.${name}` });
  await record({ stage: "attempt", outcome: null, error: null });
  try {
    await run(context);
  } catch (error) {
    await record({
      stage: "result",
      outcome: "failed",
      error: error instanceof AppError ? error.code : null,
    });
    throw error;
  }
  await record({ stage: "result", outcome: "succeeded", error: null });
}

/** The arguments are names and ids, never secrets. */
async function recordCommand(
  { config, args, log }: AdminContext,
  event: Pick<NewEvent, "stage" | "outcome" | "error" | "actionId" | "action">,
): Promise<void> {
  const { db, now, close } = await openInstance(config, log);
  try {
    await createAuditLog({ store: createAuditStore(db) }).append(INSTANCE_CHAIN, {
      ...event,
      at: now(),
      status: null,
      actorKind: "operator",
      actorId: null,
      actorName: operatorName(),
      keyId: null,
      targetKind: "command",
      targetId: null,
      targetName: args.join(" ").slice(0, MAX_TEXT) || null,
      address: null,
      userAgent: null,
      requestId: null,
      before: null,
      after: null,
    });
  } finally {
    await close();
  }
}

/** The account of the operating system; a container may have none. */
function operatorName(): string | null {
  try {
    return userInfo().username;
  } catch {
    return null;
  }
}
