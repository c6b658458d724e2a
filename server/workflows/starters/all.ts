import { agentResearch } from "./agent-research.ts";
import { approvalBeforePublishing } from "./approval-before-publishing.ts";
import { csvToExcel } from "./csv-to-excel.ts";
import { dailyReport } from "./daily-report.ts";
import { invoiceReminder } from "./invoice-reminder.ts";
import { newItemsOnly } from "./new-items-only.ts";
import { orderDatabase } from "./order-database.ts";
import { orderSummary } from "./order-summary.ts";
import { documentQuestion } from "./document-question.ts";
import { eachItem } from "./each-item.ts";
import { fanOutAndJoin } from "./fan-out-and-join.ts";
import { feedDigest } from "./feed-digest.ts";
import { issueToSlack } from "./issue-to-slack.ts";
import { mailTriage } from "./mail-triage.ts";
import { retryWithErrorPath } from "./retry-with-error-path.ts";
import { repeatUntil } from "./repeat-until.ts";
import type { Starter } from "./starter.ts";
import { supportChat } from "./support-chat.ts";
import { switchByKind } from "./switch-by-kind.ts";
import { waitForPayment } from "./wait-for-payment.ts";
import { webhookLog } from "./webhook-log.ts";

/**
 * In display order: starters that need no configuration come first. Some of them call this service, whose port is
 * configurable.
 */
export const createStarters = (serviceUrl: string): readonly Starter[] => [
  dailyReport(serviceUrl),
  webhookLog,
  approvalBeforePublishing,
  switchByKind,
  fanOutAndJoin(serviceUrl),
  retryWithErrorPath,
  eachItem,
  repeatUntil,
  waitForPayment,
  orderSummary,
  csvToExcel,
  invoiceReminder,
  newItemsOnly,
  orderDatabase,
  feedDigest,
  mailTriage,
  issueToSlack,
  supportChat,
  documentQuestion,
  agentResearch,
];
