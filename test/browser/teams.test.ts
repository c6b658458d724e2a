import { afterAll, expect, test } from "vitest";
import { startStubModelServer, stubModelSettings } from "../support/stub-model-server.ts";
import { checkScreen, confirm, seriousFindings, useVisits } from "./support/visit.ts";

const model = await startStubModelServer();
model.answerWith(() => "I found **three** causes.");
afterAll(() => model.close());
const visit = useVisits(stubModelSettings(model));

test("an agent and a team are created, and an external agent joins the war room", async () => {
  const user = await visit.register("leader");
  const page = await visit.open("/agents", { user });
  await page.getByRole("button", { name: "New agent" }).click();
  await page.getByLabel("Name", { exact: true }).fill("Researcher");
  await page.getByRole("button", { name: "Create agent" }).click();
  await page.getByRole("heading", { name: "Researcher" }).waitFor();

  await page.getByRole("link", { name: "Teams" }).last().click();
  await page.getByRole("button", { name: "New team" }).click();
  await page.getByLabel("Name", { exact: true }).fill("Squad");
  await page.getByLabel("Add agent").selectOption({ label: "Researcher" });
  await page.getByRole("button", { name: "External agent", exact: true }).click();
  await page.getByLabel("Name of the external agent").fill("summarizer");
  await page.getByLabel("Capabilities").fill("summarize");
  await page.getByRole("radio", { name: "Hierarchical" }).click();
  await page.getByRole("img", { name: "hierarchical: Researcher, summarizer" }).waitFor();
  expect(await seriousFindings(page)).toEqual([]);
  await page.getByRole("button", { name: "Create team" }).click();
  const secret = (await page.locator("[data-secret]").textContent()) ?? "";
  await page.getByRole("button", { name: "Done" }).click();
  await page.getByRole("heading", { name: "Members" }).waitFor();
  expect(await page.content()).not.toContain(secret);

  await page.getByLabel("Objective").fill("Why did refunds double?");
  await page.getByRole("button", { name: "Start session" }).click();
  await page.waitForURL(/\/sessions\//);
  const feed = page.getByRole("log");
  await feed.getByText("Why did refunds double?").waitFor();

  await feed.getByText("causes").first().waitFor();

  const sessionId = new URL(page.url()).pathname.split("/").at(-1) ?? "";
  const teamId = new URL(page.url()).pathname.split("/").at(-3) ?? "";
  const said = await visit.app.anonymous.post(
    `/webhook/a2a/${teamId}`,
    {
      sessionId,
      from: { id: "summarizer", type: "external" },
      content: { result: '**Late** arrivals <img src="https://evil.example/x">' },
    },
    { "x-a2a-secret": secret },
  );
  expect(said.body).toMatchObject({ ok: true });
  await feed.getByText("evil.example").waitFor();
  await feed.locator("strong", { hasText: "Late" }).waitFor();
  await page.getByLabel("Message", { exact: true }).fill("Thank you, all.");
  await page.getByRole("button", { name: "Send" }).click();
  await feed.getByText("Thank you, all.").waitFor();
  await checkScreen(page, "war-room");

  const shown = await page.locator("[data-seq]").all();
  const numbers = await Promise.all(shown.map(async (one) => Number(await one.getAttribute("data-seq"))));
  expect(numbers).toEqual(numbers.map((_, index) => index + 1));
  await page.reload();
  await feed.getByText("Thank you, all.").waitFor();
  await page.locator(".top [data-status=completed]").waitFor();
  await page.getByLabel("Result and invitation").getByText("causes").waitFor();
  await page.getByText(/\d turns? · \d+ tokens/).waitFor();

  await page.setViewportSize({ width: 1024, height: 768 });
  await page.getByText("Request from an external agent").waitFor({ state: "hidden" });
  await page.getByRole("button", { name: "Result and invitation" }).click();
  await page.getByText("Request from an external agent").waitFor();
  await checkScreen(page, "war-room-1024-result");
  await page.setViewportSize({ width: 390, height: 844 });
  await page.getByRole("button", { name: "Members" }).click();
  await page.getByText("you", { exact: true }).waitFor();
  expect(await seriousFindings(page)).toEqual([]);
  await page.getByRole("button", { name: "Conversation" }).click();
  await feed.getByText("Thank you, all.").waitFor();
});

test("agents and teams are edited without losing fields that the form does not show", async () => {
  const user = await visit.register("changer");
  const agents: string[] = [];
  for (const name of ["Writer", "Reader"])
    agents.push((await user.post("/api/agents", { name, temperature: 0.5 })).body.agent.id as string);
  const { team } = (
    await user.post("/api/agent-teams", {
      name: "Pair",
      agents: [...agents, "agent_unknown"],
      externalAgents: [{ name: "far", capabilities: ["find"], url: "https://agents.example/a2a" }],
    })
  ).body;
  const page = await visit.open(`/teams/${team.id}`, { user });
  await page.getByRole("button", { name: "Edit" }).click();
  await page.getByLabel("Name", { exact: true }).fill("Duo");
  await page.getByRole("button", { name: "Move Writer down" }).click();
  // The focus follows the row.
  await page.keyboard.press("Enter");
  await page.getByRole("radio", { name: "Linear" }).click();
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByRole("heading", { name: "Duo" }).waitFor();
  const [writer, reader] = agents;
  expect((await user.get(`/api/agent-teams/${team.id}`)).body.team).toMatchObject({
    name: "Duo",
    topology: "linear",
    agents: [reader, "agent_unknown", writer],
    externalAgents: team.externalAgents,
  });

  await page.goto(`${visit.base}/agents`);
  await page.getByRole("link", { name: "Open Writer" }).click();
  await page.getByText("Details", { exact: true }).click();
  await page.getByLabel("Capabilities").fill("write, shorten");
  await page.getByText("Draft · capabilities changed").waitFor();
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("Draft · capabilities changed").waitFor({ state: "detached" });
  expect((await user.get(`/api/agents/${writer}`)).body.agent).toMatchObject({
    capabilities: ["write", "shorten"],
    temperature: 0.5,
  });
  await page.goto(`${visit.base}/agents`);
  await page.getByText("shorten", { exact: true }).waitFor();
  await page.getByRole("button", { name: "Delete Writer" }).click();
  await confirm(page, "Delete");
  await page.getByRole("heading", { name: "Writer", exact: true }).waitFor({ state: "detached" });
});

test("a session with external agents only stays active until the user stops it", async () => {
  const user = await visit.register("stopper");
  const team = await user.post("/api/agent-teams", {
    name: "Guests",
    externalAgents: [{ name: "guest", capabilities: [] }],
  });
  const run = await user.post(`/api/agent-teams/${team.body.team.id}/run`, {
    objective: "Wait for the guest",
  });
  const page = await visit.open(`/teams/${team.body.team.id}/sessions/${run.body.sessionId}`, { user });
  await page.locator(".top [data-status=active]").waitFor();
  await page.getByRole("button", { name: "Stop", exact: true }).click();
  await page.locator(".top [data-status=cancelled]").waitFor();
  await page.getByRole("log").getByText("stopped the session.").waitFor();
  await page.getByLabel("Message", { exact: true }).waitFor({ state: "detached" });
});

test("the room follows new messages, except for a user who has scrolled up to read", async () => {
  const user = await visit.register("reader");
  const { team } = (
    await user.post("/api/agent-teams", {
      name: "Guests",
      externalAgents: [{ name: "guest", capabilities: [] }],
    })
  ).body;
  const { sessionId } = (await user.post(`/api/agent-teams/${team.id}/run`, { objective: "Wait" })).body;
  const say = (text: string) =>
    user.post(`/api/agent-teams/sessions/${sessionId}/messages`, { content: text });
  for (let number = 1; number <= 12; number += 1) await say(`Line ${number}\n\n`.repeat(4));
  const page = await visit.open(`/teams/${team.id}/sessions/${sessionId}`, { user });
  const feed = page.getByRole("log");
  const top = () => feed.evaluate((element: any) => element.scrollTop as number);
  await expect.poll(top).toBeGreaterThan(100);
  await say("After the others");
  await feed.getByText("After the others").waitFor();
  await expect
    .poll(() =>
      feed.evaluate((element: any) => element.scrollHeight - element.scrollTop - element.clientHeight),
    )
    .toBeLessThan(2);
  await feed.evaluate((element: any) => element.scrollTo({ top: 0 }));
  await expect.poll(top).toBe(0);
  await say("While you read");
  await feed.getByText("While you read").waitFor();
  expect(await top()).toBe(0);
});

test("a team is built by rows: ordered by drag, instructed, limited, and a member removed", async () => {
  const user = await visit.register("builder");
  for (const name of ["Analyst", "Writer", "Editor"])
    await user.post("/api/agents", { name, role: `the ${name.toLowerCase()}` });
  const page = await visit.open("/teams", { user });
  await page.getByRole("button", { name: "New team" }).click();
  const form = page.getByRole("dialog");
  await form.getByLabel("Name", { exact: true }).fill("Newsroom");
  for (const name of ["Analyst", "Writer", "Editor"])
    await form.getByLabel("Add agent").selectOption({ label: name });
  await form.getByRole("radio", { name: "Linear" }).click();
  const rows = form.getByRole("listitem");
  await rows.nth(2).locator(".grip").dragTo(rows.nth(0));
  await expect.poll(() => rows.nth(0).textContent()).toContain("Editor");
  await form.getByLabel("Instructions for Writer in this team").fill("One page at most.");
  await form.getByRole("button", { name: "Remove Analyst" }).click();
  await form.getByRole("img", { name: "linear: Editor, Writer" }).waitFor();
  await form.getByLabel("Turns per session").fill("4");
  await checkScreen(page, "team-form");
  await page.setViewportSize({ width: 390, height: 844 });
  expect(await seriousFindings(page)).toEqual([]);
  // Without an external agent, nobody needs the secret of the team: it opens at once.
  await form.getByRole("button", { name: "Create team" }).click();
  await page.waitForURL(/\/teams\/team_/);
  await page.getByText("No external agents yet").waitFor();
  expect(await page.getByText("Request from an external agent").count()).toBe(0);
  const { team } = (await user.get(`/api/agent-teams/${new URL(page.url()).pathname.split("/").at(-1)}`))
    .body;
  const agents = (await user.get("/api/agents")).body.agents as { id: string; name: string }[];
  const idOf = (name: string) => agents.find((agent) => agent.name === name)?.id ?? "";
  expect(team).toMatchObject({
    agents: [idOf("Editor"), idOf("Writer")],
    memberInstructions: { [idOf("Writer")]: "One page at most." },
    limits: { turns: 4 },
    topology: "linear",
  });
});

test("the room shows an answer while it is written, and a tool call as one sentence", async () => {
  const user = await visit.register("watcher");
  const workflow = (
    await user.post("/api/workflows", {
      name: "Refund report",
      metadata: { steps: [{ stepId: "rows", type: "transform", template: [1, 2, 3] }], edges: [] },
    })
  ).body.workflow.id as string;
  const agent = (await user.post("/api/agents", { name: "Analyst", tools: { workflows: [workflow] } })).body
    .agent.id as string;
  const { team } = (await user.post("/api/agent-teams", { name: "Squad", agents: [agent] })).body;
  let finish: () => void = () => undefined;
  const gate = new Promise<void>((resolve) => (finish = resolve));
  model.answerWith(
    { toolCalls: [{ name: "run_refund_report", arguments: { input: { week: 41 } } }] },
    { text: "Most refunds have one reason: parcels from Leipzig arrived late.", gate },
  );
  const page = await visit.open(`/teams/${team.id}`, { user });
  await page.getByLabel("Objective").fill("Why did refunds double?");
  await page.getByRole("button", { name: "Start session" }).click();
  const feed = page.getByRole("log");
  await feed.getByText("writing …").waitFor();
  await feed.getByText("Most refunds have one").waitFor();
  expect(await feed.getByText("arrived late").count()).toBe(0);
  await checkScreen(page, "room-writing");
  finish();
  await feed.getByText("arrived late").waitFor();
  await feed.getByText("writing …").waitFor({ state: "detached" });
  const line = feed.getByText("Ran Refund report");
  await line.waitFor();
  await feed.getByText("3 items").waitFor();
  await line.click();
  await feed.getByRole("heading", { name: "Arguments" }).waitFor();
  await feed.getByRole("link", { name: "Open the run" }).waitFor();
  await page.setViewportSize({ width: 390, height: 844 });
  await checkScreen(page, "room-390");
  model.answerWith(() => "I found **three** causes.");
});
