import type { RegisteredUser } from "../../support/test-app.ts";

/** Every screen with a selector that matches once its data has loaded. `:name` is an id of `seedScreens`. */
export const screens: readonly (readonly [path: string, ready: string])[] = [
  ["/", ".bar-chart"],
  ["/workflows", "text=Approval before publishing"],
  ["/workflows/import-n8n", "text=Choose a file"],
  ["/workflows/:workflow", ".react-flow__node"],
  ["/workflows/:long", ".react-flow__node"],
  ["/runs/:longTask", ".tl-row"],
  ["/runs", ".table"],
  ["/workflows/:long?step=a", ".with-step .cm-editor"],
  ["/variables", "table"],
  ["/workflows/:long?step=a&view=step", ".step-wide .cm-editor"],
  ["/runs/:task", ".tl-decision"],
  ["/runs/compare?a=:task&b=:task", "text=Both runs have the same results"],
  ["/approvals", "text=Waiting for your decision"],
  // A screen in between, so that the builder opens anew.
  ["/workflows/:workflow?trigger=trigger%3Aendpoint%3A:workflow", "text=Live URL"],
  ["/connections", ".connection-name"],
  ["/connections/:connection", ".connection-facts"],
  ["/connections/apis/:api", ".api-operations"],
  ["/connections/oauth-clients", "table"],
  ["/notifications", ".notification-list"],
  ["/settings/notifications", "table"],
  ["/settings/limits", "table"],
  ["/administration", "h2:text('Users')"],
  ["/administration/workspaces", "table"],
  ["/administration/running", "h2"],
  ["/administration/storage", "table"],
  ["/administration/audit-log", "table"],
  ["/administration/oauth-clients", "table"],
  ["/settings/members", "text=This is your personal workspace"],
  ["/settings/audit-log", "table"],
  ["/settings/api-keys", "table"],
  ["/settings/events", "table"],
  ["/settings/mcp-servers", "table"],
  ["/workflows/:workflow?trigger=trigger%3Awebhook%3A:webhook", "text=Live URL"],
  ["/variables", "table"],
  ["/workflows/:workflow?trigger=trigger%3Aschedule%3A:schedule", "text=Next runs"],
  ["/files", "text=No files yet"],
  ["/store", "table"],
  ["/settings", "text=Delete account"],
  ["/settings/security", "text=Logins"],
  ["/workflows/:workflow?trigger=trigger%3Aform%3A:workflow", "label:text('After sending')"],
  ["/documents", "text=Ask questions about your documents"],
  ["/workflows/:long?trigger=trigger%3Amanual%3A:long", "text=Choose a trigger"],
  ["/clients", "table"],
  ["/clients/connect", ".client-steps"],
  ["/clients/calls", "table"],
  ["/agents", "h2"],
  ["/agents/:agent", ".chat-feed"],
  ["/teams", "h2"],
  ["/teams/:team", "h2:text('Members')"],
  ["/teams/:team/sessions/:session", ".msg"],
  ["/templates", ".starter"],
];

export type SeededIds = Readonly<Record<string, string>>;

export function pathWithIds(path: string, ids: SeededIds): string {
  return path.replaceAll(/:(\w+)/g, (_whole, name: string) => ids[name] ?? "");
}

/** Creates one record of every kind, so that no screen is empty. */
export async function seedScreens(user: RegisteredUser): Promise<SeededIds> {
  const ids: Record<string, string> = {};
  const { body } = await user.post("/api/templates/import/approval-before-publishing");
  ids["workflow"] = body.workflow.id as string;
  ids["task"] = (await user.post(`/api/workflows/${ids["workflow"]}/run`, { input: {} })).body
    .taskId as string;
  // A very long name must not push the elements next to it out of the window.
  const long = await user.post("/api/workflows", {
    name: "What the editors of three countries have written ".repeat(4).trim(),
    metadata: { steps: [{ stepId: "a", type: "transform", template: 1 }], edges: [] },
  });
  ids["long"] = long.body.workflow.id as string;
  ids["longTask"] = (await user.post(`/api/workflows/${ids["long"]}/run?wait=true`, {})).body
    .taskId as string;
  await user.post("/api/keys", { name: "Shop" });
  await user.put(`/api/exposures/workflow/${ids["long"]}`, { mcp: true, chat: true, name: "editors" });
  const { rawKey } = (await user.post("/api/keys", { name: "Chat", scopes: ["chat"] })).body;
  for (const model of ["editors", "nobody"])
    await user.call("/v1/chat/completions", {
      method: "POST",
      headers: { authorization: `Bearer ${rawKey}` },
      body: { model, messages: [{ role: "user", content: "Hello" }] },
    });
  await user.post("/api/event-subscriptions", {
    url: "http://127.0.0.1:9/events",
    types: ["baton.run.failed", "baton.approval.requested"],
  });
  const connection = await user.post("/api/connections", {
    kind: "bearer",
    name: "Warehouse of the northern branch with a long name",
    hosts: ["api.warehouse.example.com", "*.northern.example.com"],
    secrets: { token: "seeded" },
  });
  ids["connection"] = connection.body.connection.id as string;
  const operation = { summary: "List the items of the northern branch", operationId: "listItems" };
  const document = {
    openapi: "3.0.0",
    info: { title: "Stock" },
    paths: { "/items/of/the/branch": { get: operation } },
  };
  const api = await user.post("/api/apps/import", {
    document: JSON.stringify({ ...document, servers: [{ url: "http://127.0.0.1:9/v1" }] }),
  });
  ids["api"] = api.body.app.id as string;
  await user.post("/api/mcp-servers", { name: "Issues", url: "https://mcp.example.com/mcp", auth: "oauth" });
  await user.put(`/api/workflows/${ids["workflow"]}`, {
    apiSettings: { enabled: true, endpointName: "publish" },
    form: { enabled: true, title: "Publish" },
  });
  const webhook = await user.post("/api/webhooks", {
    name: "Shop",
    source: "shop",
    workflowId: ids["workflow"],
  });
  ids["webhook"] = webhook.body.webhook.id as string;
  await user.put("/api/variables/shop", { value: "https://shop.example" });
  await user.put("/api/variables/instructions", {
    value: "Write plainly and name your sources. ".repeat(30),
  });
  await user.put("/api/variables/password", { value: "secret words", secret: true });
  await user.put("/api/store/workspace/last-run", { value: { at: "2026-01-01", items: [1, 2, 3] } });
  const schedule = await user.post("/api/schedules", { workflowId: ids["workflow"], cron: "0 8 * * *" });
  ids["schedule"] = schedule.body.schedule.id as string;
  const agent = (await user.post("/api/agents", { name: "Researcher", capabilities: ["research"] })).body
    .agent.id as string;
  ids["agent"] = agent;
  const team = await user.post("/api/agent-teams", {
    name: "Squad",
    agents: [agent],
    externalAgents: [{ name: "summarizer", capabilities: ["summarize"] }],
  });
  ids["team"] = team.body.team.id as string;
  ids["session"] = (await user.post(`/api/agent-teams/${ids["team"]}/run`, { objective: "Find out" })).body
    .sessionId as string;
  return ids;
}
