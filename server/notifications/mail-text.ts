import type { NotificationKind } from "../../contract/notifications.ts";
import type { MailContent } from "./notification-mail.sql.ts";
import { linkOf, type TitledNotification } from "./notification-view.ts";

/** In one mail; the page shows the others. */
const MAX_SHOWN = 20;
const MAX_SUBJECT = 120;

const HEADINGS: Record<NotificationKind, string> = {
  run_failed: "Run failed",
  approval_requested: "Approval requested",
  approval_blocked: "Approval without approvers",
  connection_problem: "Connection problem",
  limit_reached: "Limit reached",
};

export function mailText(
  {
    notifications,
    workspaceName,
    isPersonal,
  }: Omit<MailContent, "notifications"> & { notifications: TitledNotification[] },
  serviceUrl: string,
): { subject: string; text: string } {
  const place = isPersonal ? "" : ` in ${oneLine(workspaceName)}`;
  const [first] = notifications;
  const more = notifications.length - MAX_SHOWN;
  const subject =
    notifications.length === 1 && first !== undefined
      ? `${HEADINGS[first.kind]}: ${oneLine(first.title)}${place}`
      : `${notifications.length} notifications${place}`;
  return {
    subject: subject.slice(0, MAX_SUBJECT),
    text: [
      ...notifications.slice(0, MAX_SHOWN).map((each) => entryOf(each, serviceUrl)),
      ...(more > 0 ? [`${more} more: ${serviceUrl}/notifications`] : []),
      `You receive this mail from Baton${place}. Change what you receive:\n${serviceUrl}/settings/notifications\n`,
    ].join("\n\n"),
  };
}

function entryOf(notification: TitledNotification, serviceUrl: string): string {
  const { kind, title, message, count, stepTitle } = notification;
  const times = count > 1 ? ` (${count} times)` : "";
  const step = kind === "run_failed" && stepTitle !== null ? `Step ${oneLine(stepTitle)}: ` : "";
  return `${HEADINGS[kind]}: ${oneLine(title)}${times}\n${step}${oneLine(message)}\n${serviceUrl}${linkOf(notification)}`;
}

/** Names and messages of users must not look like further lines of the mail. */
function oneLine(text: string): string {
  return text.replaceAll(/[\s\p{Cc}]+/gu, " ").trim();
}
