import { randomBytes } from "node:crypto";
import { approverEntries } from "../../../../contract/approvers.ts";
import { isRecord, type JsonValue } from "../../../../contract/placeholders/json-value.ts";
import { toIso } from "../../../lib/clock.ts";
import { AppError, messageOf } from "../../../lib/errors.ts";
import type { ApprovalNotice } from "../../approval-store.ts";
import type { ControlCall } from "../run.ts";
import { timeoutOf } from "./approval-timeout.ts";
import { approverRuleOf, listApprovers } from "./approvers.ts";
import { earlier } from "./deadline.ts";

const MAX_ATTEMPTS = 6;
const FIRST_RETRY_MS = 30_000;

/** 128 random bits. */
export const createLinkId = (): string => randomBytes(16).toString("base64url");

/** In `notifyEmail`: everyone who may decide. */
const ALL_APPROVERS = "approvers";

interface ApprovalQuestion {
  message: string;
  context: JsonValue | undefined;
}

/**
 * Sends the emails of an open approval unless they were sent. The approval waits all the same when one fails; the error
 * is shown with it. Returns when the next attempt is due.
 */
export async function notifyApprovers(
  call: ControlCall,
  question: ApprovalQuestion,
  due: number | null,
): Promise<number | null> {
  const to = call.fields["notifyEmail"];
  if (to === undefined || to === null || to === "") return null;
  const remindAt = await remind(call, due);
  return earlier(await sendNotices(call, to, question, due), remindAt);
}

/** Has the emails sent again once the reminder is due. Returns when it will be. */
async function remind({ run, path, fields }: ControlCall, due: number | null): Promise<number | null> {
  const before = fields["remindBeforeMs"];
  if (due === null || typeof before !== "number") return null;
  const remindAt = due - before;
  if (remindAt > run.deps.clock.now()) return remindAt;
  await run.deps.store.renewSentNotices(run.task.id, path);
  return null;
}

async function sendNotices(
  call: ControlCall,
  to: JsonValue,
  question: ApprovalQuestion,
  due: number | null,
): Promise<number | null> {
  const { run, path } = call;
  const { store } = run.deps;
  const rule = approverRuleOf(call);
  if (rule === undefined) {
    const notice = await store.linkApproval(run.task.id, path, createLinkId());
    return sendNotice(
      call,
      notice,
      hasSeveral(to) ? { bcc: to } : { to },
      textOf(call, question, due, "Anyone who has it can decide."),
    );
  }
  const people = (await listApprovers(call, rule)).map(({ email }) => email.toLowerCase());
  const listed = (approverEntries(to) ?? []).flatMap((each) => (each === ALL_APPROVERS ? people : [each]));
  const retries: (number | null)[] = [];
  for (const email of new Set(listed)) {
    const link = { linkId: createLinkId(), email, createdBy: null };
    const notice = await store.linkApprover(run.task.id, path, link);
    if (people.includes(email))
      retries.push(
        await sendNotice(
          call,
          notice,
          { to: email },
          textOf(call, question, due, "It is yours alone: it decides in your name."),
        ),
      );
    else if (notice?.error === null)
      await store.recordNotice(run.task.id, path, {
        ...notice,
        attempts: MAX_ATTEMPTS,
        error: `${email} is not an approver of this step.`,
      });
  }
  return retries.reduce(earlier, null);
}

/** A list, or a text with commas. Several recipients do not see each other's addresses. */
const hasSeveral = (to: JsonValue): boolean =>
  Array.isArray(to) ? to.length > 1 : typeof to === "string" && to.includes(",");

async function sendNotice(
  { run, path, runEffect }: ControlCall,
  notice: ApprovalNotice | undefined,
  addressees: { to: JsonValue } | { bcc: JsonValue },
  mailText: (url: string) => string,
): Promise<number | null> {
  const { store, clock, approvalUrl } = run.deps;
  if (notice === undefined || notice.sentAt !== null || notice.attempts >= MAX_ATTEMPTS) return null;
  if (notice.retryAt !== null && notice.retryAt > clock.now()) return notice.retryAt;
  const attempts = notice.attempts + 1;
  const subject = `Approval needed: ${run.workflow.name}`;
  const mail = {
    ...addressees,
    subject: notice.round === 0 ? subject : `Reminder: ${subject}`,
    text: mailText(approvalUrl(notice.linkId)),
  };
  try {
    // The key differs for each approval and reminder: a mail server may drop a second email with the same message id.
    const key = notice.round === 0 ? notice.linkId : `${notice.linkId}:${notice.round}`;
    await runEffect("email", mail, key);
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

const AT_DUE_TIME = {
  approve: "the request is approved",
  reject: "the request is rejected",
  fail: "the step fails",
} as const;

function textOf(
  { fields }: ControlCall,
  { message, context }: ApprovalQuestion,
  due: number | null,
  holder: string,
): (url: string) => string {
  const until =
    due === null
      ? "once."
      : `once until ${toIso(due)}. Without a decision until then, ${AT_DUE_TIME[timeoutOf(fields)]}.`;
  return (url) =>
    [
      message,
      ...(context === undefined ? [] : [contextLines(context)]),
      `Approve or reject here, without a login:\n${url}`,
      `The link works ${until} ${holder}`,
    ].join("\n\n");
}

function contextLines(context: JsonValue): string {
  const textOf = (value: JsonValue) => (typeof value === "string" ? value : JSON.stringify(value));
  if (!isRecord(context)) return textOf(context);
  return Object.entries(context)
    .map(([name, value]) => `${name}: ${textOf(value as JsonValue)}`)
    .join("\n");
}
