import { beforeAll, expect, test } from "vitest";
import type { RegisteredUser } from "../support/test-app.ts";
import { keepToken, photograph, seriousFindings, useVisits } from "./support/visit.ts";

const visit = useVisits();
let user: RegisteredUser;
const ids: Record<string, string> = {};

beforeAll(async () => {
  user = await visit.register("everywhere");
  const { body } = await user.post("/api/templates/import/approval-before-publishing");
  ids["workflow"] = body.workflow.id as string;
  ids["task"] = (await user.post(`/api/workflows/${ids["workflow"]}/run`, { input: {} })).body
    .taskId as string;
  // A name that somebody has pasted in: what stands beside it keeps its place.
  const long = await user.post("/api/workflows", {
    name: "What the editors of three countries have written ".repeat(4).trim(),
    metadata: { steps: [{ stepId: "a", type: "transform", template: 1 }], edges: [] },
  });
  ids["long"] = long.body.workflow.id as string;
  ids["longTask"] = (await user.post(`/api/workflows/${ids["long"]}/run?wait=true`, {})).body
    .taskId as string;
  await user.post("/api/keys", { name: "Shop" });
  await user.put(`/api/workflows/${ids["workflow"]}`, {
    apiSettings: { enabled: true, endpointName: "publish" },
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
  await user.post("/api/schedules", { workflowId: ids["workflow"], cron: "0 8 * * *" });
  const agent = (await user.post("/api/agents", { name: "Researcher", capabilities: ["research"] })).body
    .agent.id as string;
  const team = await user.post("/api/agent-teams", {
    name: "Squad",
    agents: [agent],
    externalAgents: [{ name: "summarizer", capabilities: ["summarize"] }],
  });
  ids["team"] = team.body.team.id as string;
  ids["session"] = (await user.post(`/api/agent-teams/${ids["team"]}/run`, { objective: "Find out" })).body
    .sessionId as string;
});

/** Each screen with something that is only there when it has loaded. */
const screens: [path: string, ready: string][] = [
  ["/workflows", "text=Approval before publishing"],
  ["/workflows/:workflow", ".react-flow__node"],
  ["/workflows/:long", ".react-flow__node"],
  ["/runs/:longTask", ".react-flow__node"],
  ["/runs", "table"],
  ["/runs/:task", "text=Waiting for your decision"],
  ["/runs/compare?a=:task&b=:task", "text=Input"],
  ["/approvals", "text=Waiting for your decision"],
  ["/endpoints", "text=Try it"],
  ["/endpoints/keys", "table"],
  ["/endpoints/webhooks", "table"],
  ["/endpoints/webhooks/:webhook", "text=No deliveries yet"],
  ["/endpoints/schedules", "table"],
  ["/variables", "table"],
  ["/documents", "text=Ask questions about your documents"],
  ["/agents", "h2"],
  ["/teams", "h2"],
  ["/teams/:team", "h2:text('Members')"],
  ["/teams/:team/sessions/:session", ".msg"],
  ["/templates", ".starter"],
];

const pictured = new Map([
  ["/workflows/:workflow", "builder"],
  ["/runs/:task", "run"],
  ["/workflows", "workflows"],
  ["/endpoints", "endpoint"],
  ["/teams/:team/sessions/:session", "war-room"],
]);

test.each([
  [1440, "light"],
  [1024, "dark"],
  [390, "light"],
] as const)(
  "at %i pixels, %s, axe finds nothing serious on any screen and nothing is wider than the window",
  async (width, theme) => {
    const page = await visit.open("/", { width, theme });
    await page.getByLabel("E-mail").waitFor();
    const findings = (await seriousFindings(page)).map((finding) => `/ ${finding}`);
    await keepToken(page, user.token);
    await page.reload();
    await page.locator("nav").first().waitFor({ state: "attached" });
    for (const [path, ready] of screens) {
      const address = path.replaceAll(/:(\w+)/g, (_whole, name: string) => ids[name] ?? "");
      // The page's own way of going there: what has been loaded stays, axe included.
      await page.evaluate(`history.pushState(null, "", ${JSON.stringify(address)})`);
      await page.locator(ready).first().waitFor();
      const name = pictured.get(path);
      if (name !== undefined && width !== 1440) await photograph(page, `${name}-${width}-${theme}`);
      findings.push(...(await seriousFindings(page)).map((finding) => `${path} ${finding}`));
      const overflow = await page.evaluate<number>("document.documentElement.scrollWidth - innerWidth");
      if (overflow > 0) findings.push(`${path} is ${overflow} pixels wider than the window`);
    }
    expect(findings).toEqual([]);
  },
);
