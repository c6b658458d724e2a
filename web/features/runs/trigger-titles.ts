import type { Trigger } from "../../../contract/tasks.ts";

/** How a run was started, as a title. */
export const TRIGGER_TITLES: Partial<Record<Trigger, string>> & Record<string, string> = {
  manual: "Manual",
  api: "Endpoint",
  webhook: "Webhook",
  schedule: "Schedule",
  form: "Form",
  team: "Team session",
  workflow: "Another workflow",
  mcp: "MCP tool",
  a2a: "External agent",
  chat: "Chat client",
  partial: "Step test",
  error: "Failed run",
};
