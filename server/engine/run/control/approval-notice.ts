import { randomBytes } from "node:crypto";
import { isRecord, type JsonValue } from "../../../../contract/placeholders/json-value.ts";
import { toIso } from "../../../lib/clock.ts";
import { AppError, messageOf } from "../../../lib/errors.ts";
import type { ControlCall } from "../run.ts";

const MAX_ATTEMPTS = 6;
const FIRST_RETRY_MS = 30_000;

/** 128 random bits. */
export const createLinkId = (): string => randomBytes(16).toString("base64url");

/**
 * Sends the email of an open approval unless it was sent. The approval waits all the same when the email fails; the error
 * is shown with it. Returns when the next attempt is due.
 */
export async function notifyApprover(
  { run, path, fields, runEffect }: ControlCall,
  shown: { message: string; context: JsonValue | undefined },
  due: number | null,
): Promise<number | null> {
  const to = fields["notifyEmail"];
  if (to === undefined || to === null || to === "") return null;
  const { store, clock, approvalUrl } = run.deps;
  const notice = await store.linkApproval(run.task.id, path, createLinkId());
  if (notice === undefined || notice.sentAt !== null || notice.attempts >= MAX_ATTEMPTS) return null;
  if (notice.retryAt !== null && notice.retryAt > clock.now()) return notice.retryAt;
  const attempts = notice.attempts + 1;
  const mail = {
    to,
    subject: `Approval needed: ${run.workflow.name}`,
    text: mailText(shown, approvalUrl(notice.linkId), due),
  };
  try {
    // The key differs for each approval: a mail server may drop a second email with the same message id.
    await runEffect("email", mail, notice.linkId);
    await store.recordNotice(run.task.id, path, {
      ...notice,
      attempts,
      retryAt: null,
      sentAt: clock.now(),
      error: null,
    });
    return null;
  } catch (error) {
    if (run.stop.aborted || (error instanceof AppError && error.code === "storage_unavailable")) throw error;
    const isFinal = attempts >= MAX_ATTEMPTS || (error instanceof AppError && error.permanent);
    const retryAt = isFinal ? null : clock.now() + FIRST_RETRY_MS * 2 ** notice.attempts;
    await store.recordNotice(run.task.id, path, {
      ...notice,
      attempts: isFinal ? MAX_ATTEMPTS : attempts,
      retryAt,
      error: messageOf(error),
    });
    return retryAt;
  }
}

function mailText(
  { message, context }: { message: string; context: JsonValue | undefined },
  url: string,
  due: number | null,
): string {
  const until = due === null ? "" : ` until ${toIso(due)}`;
  return [
    message,
    ...(context === undefined ? [] : [contextLines(context)]),
    `Approve or reject here, without a login:\n${url}`,
    `The link works once${until}. Anyone who has it can decide.`,
  ].join("\n\n");
}

function contextLines(context: JsonValue): string {
  const textOf = (value: JsonValue) => (typeof value === "string" ? value : JSON.stringify(value));
  if (!isRecord(context)) return textOf(context);
  return Object.entries(context)
    .map(([name, value]) => `${name}: ${textOf(value as JsonValue)}`)
    .join("\n");
}
