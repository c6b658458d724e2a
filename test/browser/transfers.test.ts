import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { upload } from "../documents/upload.ts";
import { createTeamWorkspace, inWorkspace } from "../support/workspaces.ts";
import { checkScreen, findingsInOtherTheme, takeScreenshot, useVisits } from "./support/visit.ts";

const visit = useVisits();

async function openDialog(page: Page, name: string): Promise<void> {
  await page.getByRole("button", { name: `Actions of ${name}`, exact: true }).click();
  await page.getByRole("menuitem", { name: "Move or copy to workspace…" }).click();
  await page.getByRole("dialog", { name: `Move or copy “${name}”` }).waitFor();
}

test("a workflow is copied: the dialog reports what the other workspace lacks and leads to the copy", async () => {
  const mia = await visit.register("mia");
  const target = await createTeamWorkspace(mia);
  await mia.patch(`/api/workspaces/${target}`, { name: "Northwind Goods" });
  await createTeamWorkspace(mia);
  await mia.put("/api/variables/region", { value: "eu" });
  const { connection } = (
    await mia.post("/api/connections", {
      name: "CRM of the sales team",
      kind: "bearer",
      secrets: { token: "hush" },
      hosts: ["crm.example"],
    })
  ).body;
  const steps = [
    { stepId: "call", type: "http", url: "https://crm.example/{{vars.region}}", connection: connection.id },
  ];
  await mia.post("/api/workflows", { name: "Sync orders", metadata: { steps, edges: [] } });
  const page = await visit.open("/workflows", { user: mia });
  await openDialog(page, "Sync orders");
  const dialog = page.getByRole("dialog");
  expect(await dialog.getByRole("button", { name: "Copy", exact: true }).isDisabled()).toBe(true);
  await dialog.getByLabel("Workspace").selectOption("Northwind Goods");
  await dialog.getByText("Connections: CRM of the sales team").waitFor();
  await dialog.getByText("Variables and secrets: region").waitFor();
  await checkScreen(page, "transfer-copy");
  expect(await findingsInOtherTheme(page)).toEqual([]);
  await dialog.getByRole("button", { name: "Copy", exact: true }).click();
  await dialog.getByText("“Sync orders” was copied to Northwind Goods.").waitFor();
  await checkScreen(page, "transfer-done");
  await dialog.getByRole("link", { name: "Open in Northwind Goods" }).click();
  await page.locator(".react-flow__node").first().waitFor();
  const there = (await inWorkspace(mia, target).get("/api/workflows")).body.workflows;
  expect(there).toMatchObject([{ name: "Sync orders" }]);
  expect(new URL(page.url()).pathname).toBe(`/workflows/${there[0].id}`);

  // From the menu of the editor it is moved back, and the editor closes.
  await page.getByRole("button", { name: "Workflow menu" }).click();
  await page.getByRole("menuitem", { name: "Move or copy to workspace…" }).click();
  await dialog.getByLabel("Workspace").selectOption(mia.user.id);
  await dialog.getByLabel("Move").check();
  await dialog.getByRole("button", { name: "Move", exact: true }).click();
  await dialog.getByText("was moved to").waitFor();
  await dialog.getByRole("button", { name: "Done" }).click();
  await expect.poll(() => new URL(page.url()).pathname).toBe("/workflows");
  expect((await inWorkspace(mia, target).get("/api/workflows")).body.workflows).toEqual([]);
});

test("agents, teams, templates and documents are moved, and what prevents a move is named", async () => {
  const mia = await visit.register("mover");
  const target = await createTeamWorkspace(mia);
  await mia.patch(`/api/workspaces/${target}`, { name: "Northwind Goods" });
  const there = inWorkspace(mia, target);
  const { agent } = (await mia.post("/api/agents", { name: "Analyst" })).body;
  const { team } = (await mia.post("/api/agent-teams", { name: "Refund desk", agents: [agent.id] })).body;
  const { template } = (
    await mia.post("/api/templates", { name: "Weekly report", metadata: { steps: [], edges: [] } })
  ).body;
  await mia.put(`/api/exposures/agent/${agent.id}`, { mcp: true, name: "analyst" });
  const other = (await there.post("/api/agents", { name: "Namesake" })).body.agent;
  await there.put(`/api/exposures/agent/${other.id}`, { mcp: true, name: "analyst" });

  const page = await visit.open("/agents", { user: mia });
  const dialog = page.getByRole("dialog");
  await openDialog(page, "Analyst");
  await dialog.getByLabel("Move").check();
  await dialog.getByText("The workspace has a record with the name analyst for clients.").waitFor();
  await dialog.getByText("Team Refund desk").waitFor();
  expect(await dialog.getByRole("button", { name: "Move", exact: true }).isDisabled()).toBe(true);
  await checkScreen(page, "transfer-conflict");
  expect(await findingsInOtherTheme(page)).toEqual([]);
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await there.put(`/api/exposures/agent/${other.id}`, { name: "namesake" });
  await openDialog(page, "Analyst");
  await dialog.getByLabel("Move").check();
  await dialog.getByRole("button", { name: "Move", exact: true }).click();
  await dialog.getByRole("link", { name: "Open in Northwind Goods" }).click();
  await page.waitForURL(`**/agents/${agent.id}`);
  await page.getByRole("heading", { name: "Analyst" }).waitFor();

  const bytes = Buffer.from("The greatest pressure of the pump is 6 bar.");
  const { document_id: documentId } = (await upload(mia, bytes, { fileName: "Pump manual.txt" })).body;
  for (const [path, name, record] of [
    ["/teams", "Refund desk", `/api/agent-teams/${team.id}`],
    ["/templates", "Weekly report", `/api/templates/${template.id}`],
    ["/documents", "Pump manual", `/api/v1/documents/${documentId}`],
  ] as const) {
    const list = await visit.open(path, { user: mia, width: path === "/teams" ? 390 : 1440, theme: "dark" });
    await openDialog(list, name);
    await list.getByRole("dialog").getByLabel("Move").check();
    const move = list.getByRole("dialog").getByRole("button", { name: "Move", exact: true });
    await expect.poll(() => move.isEnabled()).toBe(true);
    await checkScreen(list, `transfer${path.replace("/", "-")}`);
    await move.click();
    await list.getByRole("dialog").getByText(`“${name}” was moved to Northwind Goods.`).waitFor();
    await list.getByRole("dialog").getByRole("button", { name: "Done" }).click();
    await list
      .getByRole("button", { name: `Actions of ${name}`, exact: true })
      .waitFor({ state: "detached" });
    expect((await there.get(record)).status).toBe(200);
    expect((await mia.get(record)).status).toBe(403);
  }
});

test("a viewer may copy and not move; without another workspace to build in there is no entry", async () => {
  const [mia, lena] = [await visit.register("owner"), await visit.register("reader")];
  const team = await createTeamWorkspace(mia, [[lena, "viewer"]]);
  await inWorkspace(mia, team).post("/api/agents", { name: "Shared analyst" });
  await lena.post("/api/agents", { name: "Own analyst" });
  const page = await visit.open("/agents", { user: lena });
  await page.getByRole("link", { name: "Own analyst", exact: true }).waitFor();
  await page.getByRole("button", { name: "Delete Own analyst" }).waitFor();
  expect(await page.getByRole("button", { name: "Actions of Own analyst" }).count()).toBe(0);
  await page.getByRole("button", { name: "Baton Workspace" }).click();
  await page.getByRole("button", { name: /^Team/ }).click();
  await openDialog(page, "Shared analyst");
  const dialog = page.getByRole("dialog");
  expect(await dialog.getByLabel("Move").count()).toBe(0);
  await dialog.getByRole("button", { name: "Copy", exact: true }).click();
  await dialog.getByText("was copied to").waitFor();
  expect((await lena.get("/api/agents")).body.agents).toHaveLength(2);
});

test("a very long name of a workflow ends with an ellipsis before the switch of views, and its title has all of it", async () => {
  const mia = await visit.register("long");
  const name = "Reconcile the invoices of the northern branch with the orders of the warehouse "
    .repeat(2)
    .trim();
  const { workflow } = (await mia.post("/api/workflows", { name, metadata: { steps: [], edges: [] } })).body;
  for (const width of [1920, 1440, 1280, 1024, 390]) {
    const page = await visit.open(`/workflows/${workflow.id}`, { user: mia, width });
    const heading = page.getByRole("heading", { level: 1, name });
    await heading.waitFor();
    expect(await heading.getAttribute("title")).toBe(name);
    const title = (await heading.boundingBox())!;
    const button = heading.getByRole("button");
    expect(await button.evaluate((element: any) => element.scrollWidth > element.clientWidth)).toBe(true);
    for (const next of [
      page.getByRole("button", { name: "Workflow menu" }),
      page.locator(".top .version-badge, .top [data-save]").first(),
      page.locator(".builder-views"),
      page.locator(".top-actions"),
    ]) {
      const box = (await next.count()) === 0 ? null : await next.boundingBox();
      if (box === null) continue;
      const isBeside = box.x >= title.x + title.width - 1 || box.y >= title.y + title.height - 1;
      expect([width, await next.getAttribute("class"), isBeside]).toEqual([
        width,
        await next.getAttribute("class"),
        true,
      ]);
      expect(box.x + box.width).toBeLessThanOrEqual(width);
    }
    await takeScreenshot(page, `long-name-${width}`);
  }
});
