import type { ProposedTrigger } from "../../contract/generation.ts";
import type { N8nTrigger } from "../../contract/n8n-import.ts";

/** A proposed trigger with what its source knows of the form. */
export interface TriggerProposal extends ProposedTrigger {
  timezone?: string;
  /** Of a webhook: becomes its source. */
  path?: string;
  /** Of a webhook: the sender waits for the response of the run. */
  customResponse?: boolean;
  /** Of an app trigger. */
  app?: string;
  event?: string;
}

/** Triggers whose form asks before anything is created. An endpoint or a form would exist at once. */
const PROPOSED_KINDS = ["schedule", "webhook", "rss", "email", "chat", "app"] as const;

/** n8n generates paths such as `6f0d2c1e-…`, which name nothing. */
const GENERATED_PATH = /^[0-9a-f]{8}-[0-9a-f]{4}-/;

/** The first trigger of a workflow of n8n that can be added here. */
export function n8nTriggerProposal(triggers: readonly N8nTrigger[]): TriggerProposal | undefined {
  for (const trigger of triggers) {
    const { kind, result, node, cron, timezone, path = "", url, app, event, customResponse } = trigger;
    const proposed = PROPOSED_KINDS.find((one) => one === kind);
    if (proposed === undefined || result === "unsupported") continue;
    return {
      kind: proposed,
      text: node,
      ...(cron !== undefined && { cron }),
      ...(timezone !== undefined && { timezone }),
      ...(url !== undefined && { url }),
      ...(path !== "" && !GENERATED_PATH.test(path) && { path }),
      ...(customResponse === true && { customResponse }),
      ...(app !== undefined && event !== undefined && { app, event }),
    };
  }
  return undefined;
}
