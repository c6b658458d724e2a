import { agentResearch } from "./agent-research.ts";
import { approvalBeforePublishing } from "./approval-before-publishing.ts";
import { dailyReport } from "./daily-report.ts";
import { documentQuestion } from "./document-question.ts";
import { eachItem } from "./each-item.ts";
import { fanOutAndJoin } from "./fan-out-and-join.ts";
import { retryWithErrorPath } from "./retry-with-error-path.ts";
import type { Starter } from "./starter.ts";
import { switchByKind } from "./switch-by-kind.ts";
import { webhookLog } from "./webhook-log.ts";

/** In the order in which a newcomer meets them: what runs at once comes first, what needs a setting last. */
export const starters: readonly Starter[] = [
  dailyReport,
  webhookLog,
  approvalBeforePublishing,
  switchByKind,
  fanOutAndJoin,
  retryWithErrorPath,
  eachItem,
  documentQuestion,
  agentResearch,
];
