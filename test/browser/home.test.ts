import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import type { RegisteredUser } from "../support/test-app.ts";
import { createWorkflow, flakyService } from "./support/runs.ts";
import { checkScreen, confirm, seriousFindings, useVisits } from "./support/visit.ts";

const visit = useVisits({ ALLOW_PRIVATE_NETWORK: "true" });

const hello = [{ stepId: "hello", type: "transform", template: "Hi" }];
const run = (user: RegisteredUser, id: string) => user.post(`/api/workflows/${id}/run?wait=true`, {});
const card = (page: Page, name: string) => page.getByRole("region", { name });

test("home shows volume and success rate, and the chart is read and walked by keyboard", async () => {
  const user = await visit.register("healthy");
  const good = await createWorkflow(user, hello, "Good one");
  const bad = await createWorkflow(
    user,
    [{ stepId: "read", type: "file", action: "read", path: "/not-there.txt" }],
    "Bad one",
  );
  for (let count = 0; count < 3; count++) await run(user, good);
  await run(user, bad);
  const page = await visit.open("/", { user });
  const health = card(page, "Health of the last 24 hours");
  await health.getByText("75.0 %").waitFor();
  await health.getByText("4", { exact: true }).waitFor();
  const chart = card(page, "Runs by hour");
  const last = chart.locator("g[tabindex='0']");
  await expect.poll(() => last.getAttribute("aria-label")).toMatch(/3 completed, 1 failed/);
  await last.focus();
  await page.keyboard.press("ArrowLeft");
  expect(await page.evaluate("document.activeElement.getAttribute('aria-label')")).toMatch(
    /0 completed, 0 failed/,
  );
  // Screen readers get a table.
  const rows = chart.getByRole("table", { name: "Runs by hour" }).getByRole("row");
  await expect.poll(() => rows.count()).toBe(25);
  await page.getByRole("radio", { name: "30 days" }).click();
  await card(page, "Runs by day").waitFor();
  expect(page.url()).toContain("range=30d");
  expect(await seriousFindings(page)).toEqual([]);
});

test("an approval is decided on home; a rejection asks first", async () => {
  const user = await visit.register("decider");
  const id = await createWorkflow(
    user,
    [{ stepId: "ask", type: "approval", message: "Refund 128 euros?" }],
    "Refunds",
  );
  const start = async () => (await user.post(`/api/workflows/${id}/run`, {})).body.taskId as string;
  const statusOf = async (taskId: string) => (await user.get(`/api/tasks/${taskId}`)).body.task.status;
  const first = await start();
  const page = await visit.open("/", { user });
  const waiting = card(page, "Waiting for you");
  await waiting.getByRole("button", { name: "Reject: Refund 128 euros?" }).click();
  const dialog = page.getByRole("dialog", { name: "Reject this approval?" });
  await dialog.getByRole("button", { name: "Cancel" }).click();
  expect(await statusOf(first)).toBe("waiting_approval");
  await waiting.getByRole("button", { name: "Reject: Refund 128 euros?" }).click();
  await dialog.getByRole("button", { name: "Reject", exact: true }).click();
  await waiting.getByText("Nothing waits for you.").waitFor();
  await expect.poll(() => statusOf(first)).toBe("rejected");

  const second = await start();
  await page.reload();
  await waiting.getByRole("button", { name: "Approve: Refund 128 euros?" }).click();
  await expect.poll(() => statusOf(second)).toBe("completed");
});

test("failures of one cause are one group, which is rerun, opened or muted in place", async () => {
  const user = await visit.register("repairer");
  const service = await flakyService();
  const id = await createWorkflow(
    user,
    [{ stepId: "fetch", type: "http", name: "Read the shop", url: service.url }],
    "Fetch orders",
  );
  const tasks: string[] = [];
  for (let count = 0; count < 2; count++) tasks.push((await run(user, id)).body.taskId);
  const page = await visit.open("/", { user });
  const failures = card(page, "Failures by error");
  await failures.getByText("2×").waitFor();
  await failures.getByText("Fetch orders › Read the shop").waitFor();
  expect(await failures.getByRole("link", { name: /answered 500/ }).getAttribute("href")).toBe(
    `/runs/${tasks[1]}`,
  );

  await failures.getByRole("button", { name: /^Mute/ }).click();
  await failures.getByText("1 muted").waitFor();
  await page.reload();
  await failures.getByRole("button", { name: "Show muted" }).click();
  expect(await failures.getByRole("link", { name: "Open step" }).getAttribute("href")).toBe(
    `/workflows/${id}?step=fetch`,
  );

  service.repair();
  await failures.getByRole("button", { name: /^Rerun 2/ }).click();
  await failures.getByText("No failures in 24 hours").waitFor();
  for (const taskId of tasks)
    await expect
      .poll(async () => (await user.get(`/api/tasks/${taskId}`)).body.task.status)
      .toBe("completed");
});

test("workflows are moved into a folder by menu and by drag, tagged, filtered, and the folder is renamed", async () => {
  const user = await visit.register("sorter");
  const report = await createWorkflow(user, hello, "Daily report");
  const sync = await createWorkflow(user, hello, "Sync invoices");
  await user.post("/api/schedules", { workflowId: report, cron: "0 8 * * *" });
  const read = async (id: string) => (await user.get(`/api/workflows/${id}`)).body.workflow;
  const page = await visit.open("/workflows", { user });
  const row = (name: string) => page.getByRole("row", { name: new RegExp(name) });

  await page.getByRole("button", { name: "New folder" }).click();
  await page.getByLabel("Name", { exact: true }).fill("Finance");
  await page.getByRole("button", { name: "Create" }).click();
  await page.getByText("Empty. Drag a workflow here").waitFor();
  await row("Sync invoices").dragTo(page.getByRole("button", { name: /^Finance/ }));
  await expect.poll(async () => (await read(sync)).folder).toBe("Finance");

  await page.getByRole("button", { name: "Actions of Daily report" }).click();
  await page.getByRole("menuitem", { name: "Move to folder" }).click();
  await page.getByLabel("Folder", { exact: true }).fill("Finance");
  await page.getByRole("button", { name: "Move", exact: true }).click();
  await page.getByRole("button", { name: "Finance 2 workflows" }).waitFor();

  await page.getByRole("button", { name: "Actions of Daily report" }).click();
  await page.getByRole("menuitem", { name: "Edit tags" }).click();
  await page.getByLabel("Tags", { exact: true }).fill("daily, finance");
  await page.getByRole("button", { name: "Save" }).click();
  await row("Daily report").getByRole("button", { name: "daily", exact: true }).click();
  await row("Sync invoices").waitFor({ state: "detached" });
  await page.getByLabel("Tag", { exact: true }).selectOption("");
  await row("Sync invoices").waitFor();
  await page.getByLabel("Trigger", { exact: true }).selectOption("Schedule");
  await row("Sync invoices").waitFor({ state: "detached" });
  await page.getByLabel("Trigger", { exact: true }).selectOption("");

  await page.getByRole("button", { name: "Actions of folder Finance" }).click();
  await page.getByRole("menuitem", { name: "Rename" }).click();
  await page.getByLabel("Name", { exact: true }).fill("Accounting");
  await page.getByRole("button", { name: "Rename" }).click();
  await page.getByRole("button", { name: "Accounting 2 workflows" }).waitFor();
  expect([(await read(report)).folder, (await read(sync)).folder]).toEqual(["Accounting", "Accounting"]);
  await page.getByRole("button", { name: "Accounting 2 workflows" }).click();
  await row("Sync invoices").waitFor({ state: "detached" });
});

test("the switch pauses a workflow, and the row shows version, last runs and success", async () => {
  const user = await visit.register("switcher");
  const id = await createWorkflow(user, hello, "Greeting");
  await run(user, id);
  await user.post("/api/workflows", { name: "Blank" });
  await user.put(`/api/workflows/${id}/draft`, {
    name: "Greeting",
    description: "",
    metadata: { steps: [], edges: [] },
  });
  const page = await visit.open("/workflows", { user });
  const row = page.getByRole("row", { name: /Greeting/ });
  await row.getByText("100 %").waitFor();
  await row.getByText("v1 + draft").waitFor();
  await row.getByRole("img", { name: "Last 1 runs: 1 completed" }).waitFor();
  await page.getByRole("row", { name: /Blank/ }).getByText("Not published").waitFor();
  await row.getByRole("switch", { name: "Greeting is active" }).click();
  await expect.poll(async () => (await user.get(`/api/workflows/${id}`)).body.workflow.active).toBe(false);
  await page.getByLabel("Status", { exact: true }).selectOption("Paused");
  await page.getByRole("row", { name: /Blank/ }).waitFor({ state: "detached" });
  expect(await row.getByRole("switch").isChecked()).toBe(false);
});

test("all columns of the workflows on home fit beside its side at 1280 pixels, menu included", async () => {
  const user = await visit.register("narrow");
  const { body } = await user.post("/api/workflows", {
    name: "Refund requests",
    description: "Asks for approval above 100 euros and pays the others at once.",
    metadata: { steps: [{ stepId: "only", type: "transform", template: 1 }], edges: [] },
  });
  await user.post(`/api/workflows/${body.workflow.id}/run?wait=true`, {});
  const page = await visit.open("/", { user, width: 1280 });
  await page.getByRole("link", { name: "Refund requests" }).waitFor();
  await page.locator(".library .last-run").waitFor();
  const hidden = await page
    .locator(".library .scroll-x")
    .evaluate(({ scrollWidth, clientWidth }: any) => scrollWidth - clientWidth);
  expect(hidden).toBe(0);
});

test("a starter that needs nothing runs with one click, others are set up in their preview", async () => {
  const user = await visit.register("opener");
  const page = await visit.open("/", { user });
  await page.getByRole("button", { name: "Run Approval before publishing" }).dblclick();
  await page.waitForURL(/\/runs\/task_/);
  await page.goto(`${visit.base}/templates`);
  await page.getByRole("link", { name: "Open your workflow Approval before publishing" }).waitFor();
  expect((await user.get("/api/workflows")).body.workflows).toHaveLength(1);

  const secrets = { url: "sqlite:data/orders.db" };
  await user.post("/api/connections", { kind: "database", name: "Orders", secrets });
  await page.getByLabel("Search templates").fill("database sql");
  await expect.poll(() => page.locator(".starter").count()).toBe(1);
  expect(await page.getByRole("button", { name: "Run Orders in a database" }).count()).toBe(0);
  await page.getByRole("link", { name: "Preview Orders in a database" }).click();
  await page.locator(".react-flow__node").first().waitFor();
  // The only one that fits is chosen; a person may choose another or none.
  const about = page.getByRole("complementary", { name: "About this template" });
  await about.getByRole("img", { name: "Ready" }).waitFor();
  expect(await about.getByRole("option", { selected: true }).textContent()).toBe("Orders");
  await checkScreen(page, "template");
  await about.getByLabel("Database").selectOption("");
  const run = page.getByRole("button", { name: "Run", exact: true });
  expect(await run.isDisabled()).toBe(true);
  await about.getByLabel("Database").selectOption("Orders");
  await run.dblclick();
  await page.waitForURL(/\/runs\/task_/);
  await page.getByText("Completed", { exact: true }).first().waitFor();
  expect((await user.get("/api/workflows")).body.workflows).toHaveLength(2);
  // The workflow of the first run has the first connection.
  await user.post("/api/connections", { kind: "database", name: "Archive", secrets });
  await page.goto(`${visit.base}/templates/order-database`);
  await about.getByLabel("Database").selectOption("Archive");
  await run.click();
  await page.waitForURL(/\/runs\/task_/);
  expect((await user.get("/api/workflows")).body.workflows).toHaveLength(3);
});

test("a template whose connections could not be saved creates one workflow, also by a second try", async () => {
  const user = await visit.register("retrier");
  const secrets = { url: "sqlite:data/orders.db" };
  const { connection } = (await user.post("/api/connections", { kind: "database", name: "Orders", secrets }))
    .body;
  const page = await visit.open("/templates/order-database", { user });
  await page.getByRole("complementary").getByRole("img", { name: "Ready" }).waitFor();
  await page.route("**/api/workflows/wf_*", (route) => route.abort());
  const use = page.getByRole("button", { name: "Use template" });
  await use.click();
  await page.getByRole("alert").waitFor();
  await page.unroute("**/api/workflows/wf_*");
  await use.click();
  await page.waitForURL(/\/workflows\/wf_/);
  const { workflows } = (await user.get("/api/workflows")).body;
  expect(workflows).toHaveLength(1);
  expect(JSON.stringify(workflows[0].metadata)).toContain(connection.id);
});

test("a workflow is saved as a template, which is renamed, creates another workflow and is deleted", async () => {
  const user = await visit.register("templates");
  const { workflow } = (await user.post("/api/templates/import/feed-digest")).body;
  const page = await visit.open(`/workflows/${workflow.id}`, { user });
  await page.getByRole("button", { name: "Workflow menu" }).click();
  await page.getByRole("menuitem", { name: "Save as template …" }).click();
  await page.getByRole("dialog").getByLabel("Name").fill("Our digest");
  await page.getByRole("button", { name: "Save template" }).click();
  await page.getByText("“Our digest” is in Templates now.").waitFor();
  // A registered template need not be a valid graph.
  await user.post("/api/templates", { name: "Odd", steps: [null, { stepId: "a", type: 7 }], edges: [null] });
  await page.goto(`${visit.base}/templates?show=own`);
  await page.getByRole("link", { name: "Preview Our digest" }).click();
  await page.getByRole("button", { name: "Use template" }).dblclick();
  await page.getByRole("heading", { name: "Our digest" }).waitFor();
  await page.waitForURL(/\/workflows\/wf_/);
  expect((await user.get("/api/workflows")).body.workflows).toHaveLength(2);

  await page.goto(`${visit.base}/templates?show=own`);
  const choose = async (item: string, name: string) => {
    await page.getByRole("button", { name: `Actions of ${name}` }).click();
    await page.getByRole("menuitem", { name: item }).click();
  };
  await choose("Rename …", "Our digest");
  await page.getByRole("dialog").getByLabel("Name").fill("Their digest");
  await page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
  await page.getByRole("link", { name: "Preview Their digest" }).click();
  await choose("Delete …", "Their digest");
  await confirm(page, "Delete");
  await page.waitForURL(/\/templates$/);
  await page.getByRole("link", { name: "Preview Their digest" }).waitFor({ state: "detached" });

  await page.goto(`${visit.base}/templates/feed-digest`);
  await page.getByRole("button", { name: "Use template" }).click();
  await page.getByLabel("Feed URL").waitFor();
  const { workflows } = (await user.get("/api/workflows")).body;
  expect(workflows.map(({ name }: { name: string }) => name)).toContain(`${workflow.name} 2`);
});

test("a failed generation opens the draft with its problems", async () => {
  const user = await visit.register("describer");
  const page = await visit.open("/", { user });
  const draft = {
    name: "Fetch orders",
    description: "Fetches them",
    metadata: { steps: [{ stepId: "fetch", type: "http" }], edges: [] },
  };
  // The answer of a model that did not repair its workflow (test/models/generation.test.ts).
  await page.route("**/api/workflows/generate-ai", (route) =>
    route.fulfill({
      status: 422,
      json: { ok: false, error: "generation_failed", message: "No url.", details: { errors: [], draft } },
    }),
  );
  await page.getByRole("button", { name: /^Describe it/ }).click();
  await page.getByLabel("Describe the workflow").fill("Fetch the orders");
  await page.getByRole("button", { name: "Generate preview" }).click();
  await page.waitForURL(/\/workflows\/wf_/);
  const id = new URL(page.url()).pathname.split("/").at(-1);
  const stored = (await user.get(`/api/workflows/${id}/draft`)).body;
  expect(stored.draft.metadata.steps).toMatchObject([{ stepId: "fetch", type: "http" }]);
  expect(stored.errors).toMatchObject([{ code: "missing_field", stepId: "fetch" }]);
});
