import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import type { RegisteredUser } from "../support/test-app.ts";
import { fillValue, stepNode, valueField } from "./support/builder.ts";
import { checkScreen, confirm, fieldText, savedGraph, useVisits, waitForSave } from "./support/visit.ts";

const visit = useVisits();

const order = { stepId: "order", type: "transform", name: "The order", template: { total: 1200 } };
const greet = { stepId: "greet", type: "transform", name: "Greet", template: "Hello" };
const live = { steps: [order, greet], edges: [{ id: "e1", source: "order", target: "greet" }] };

async function createWorkflow(user: RegisteredUser, metadata: object = live): Promise<string> {
  const { body } = await user.post("/api/workflows", {
    name: "Orders",
    metadata,
    apiSettings: { enabled: true, authentication: false },
  });
  return body.workflow.id as string;
}

const publishMenu = (page: Page) => page.getByRole("dialog", { name: "Publish" });
const workflowOf = async (user: RegisteredUser, id: string) =>
  (await user.get(`/api/workflows/${id}`)).body.workflow;

const template = (page: Page) => valueField(page, "Template");

async function editTemplate(page: Page, text: string): Promise<void> {
  await stepNode(page, "greet").click();
  await fillValue(template(page), text);
  await waitForSave(page);
}

// oxlint-disable-next-line no-explicit-any
async function downloaded(page: Page, start: () => Promise<void>): Promise<any> {
  const download = page.waitForEvent("download");
  await start();
  const file = join(visit.app.dataDir, "download.json");
  await (await download).saveAs(file);
  return JSON.parse(readFileSync(file, "utf8"));
}

async function openPublish(page: Page): Promise<void> {
  await page.locator(".publish-button").click();
  await publishMenu(page).waitFor();
}

test("an edit changes the draft, and Publish makes it live with a note; Undo brings the old version back", async () => {
  const user = await visit.register("publisher");
  const id = await createWorkflow(user);
  const call = async () =>
    (await user.post(`/api/workflows/public/${id}`, { input: {} })).body.result?.output;
  const page = await visit.open(`/workflows/${id}`, { user });
  await page.getByText("Live v1", { exact: true }).waitFor();
  await editTemplate(page, "Goodbye");
  await page.getByRole("button", { name: "Draft · 1 change" }).waitFor();
  expect(await call()).toBe("Hello");

  await page.getByRole("button", { name: "Draft · 1 change" }).click();
  const menu = publishMenu(page);
  await menu.getByRole("heading", { name: "Publish as v2" }).waitFor();
  const [change] = await menu.getByRole("list", { name: "Changes" }).getByRole("listitem").allInnerTexts();
  expect(change?.replaceAll(/\s+/g, " ")).toBe("~ Greet Hello → Goodbye");
  await menu.getByText("No problems").waitFor();
  await menu.getByText(`POST /api/workflows/public/${id} keeps its URL`).waitFor();
  expect(await menu.evaluate(({ scrollWidth, clientWidth }: any) => scrollWidth - clientWidth)).toBe(0);
  await checkScreen(page, "publish");
  await menu.getByLabel("Version note").fill("Say goodbye");
  await menu.getByRole("button", { name: "Publish v2" }).click();
  await page.getByText("Live v2", { exact: true }).waitFor();
  expect(await call()).toBe("Goodbye");
  expect((await user.get(`/api/workflows/${id}/versions`)).body.versions[0].note).toBe("Say goodbye");

  await page.getByRole("button", { name: "Undo", exact: true }).last().click();
  await page.getByText("Live v3", { exact: true }).waitFor();
  await waitForSave(page);
  expect(await call()).toBe("Hello");
  expect((await savedGraph(user, id)).steps[1].template).toBe("Goodbye");
  // A publish that was undone or followed by another one cannot be undone any more.
  await openPublish(page);
  await menu.getByRole("button", { name: "Publish v4" }).click();
  await page.getByText("Published as v4.").waitFor();
  await editTemplate(page, "Farewell");
  await openPublish(page);
  await menu.getByRole("button", { name: "Publish v5" }).click();
  await page.getByText("Published as v5.").waitFor();
  expect(await page.locator(".toast").getByRole("button", { name: "Undo" }).count()).toBe(1);
});

test("problems prevent publishing, and each leads to its step; Publish works by keyboard once they are solved", async () => {
  const user = await visit.register("blocked");
  const id = await createWorkflow(user);
  const page = await visit.open(`/workflows/${id}`, { user });
  await editTemplate(page, "{{steps.missing.output}}");
  await page.keyboard.press("Escape");
  await openPublish(page);
  expect(
    await publishMenu(page)
      .getByRole("button", { name: /^Publish v2/ })
      .isDisabled(),
  ).toBe(true);
  await publishMenu(page)
    .getByRole("button", { name: /missing/ })
    .click();
  await page.locator("h2", { hasText: "Greet" }).waitFor();
  await fillValue(template(page), "{{steps.order.output.total}}");
  await waitForSave(page);
  await page.keyboard.press("Control+Shift+P");
  await publishMenu(page).getByText("No problems").waitFor();
  await page.keyboard.press("Control+Shift+P");
  await page.getByText("Live v2", { exact: true }).waitFor();
  await page.keyboard.press("Control+Shift+P");
  await publishMenu(page).getByRole("heading", { name: "Nothing to publish" }).waitFor();
  await publishMenu(page).getByRole("button", { name: "Pause workflow" }).click();
  await page.getByText("Paused v2", { exact: true }).waitFor();
  expect((await workflowOf(user, id)).active).toBe(false);
});

test("run settings are saved in human units at once, and a problem is shown at its field", async () => {
  const user = await visit.register("limiter");
  const id = await createWorkflow(user);
  const alarm = (await user.post("/api/workflows", { name: "Alarm" })).body.workflow.id as string;
  const page = await visit.open(`/workflows/${id}`, { user });
  const openSettings = async (): Promise<void> => {
    await page.getByRole("button", { name: "Workflow menu" }).click();
    await page.getByRole("menuitem", { name: "Run settings" }).click();
  };
  const dialog = page.getByRole("dialog", { name: "Run settings" });
  const field = (name: string) => dialog.getByLabel(name, { exact: true });
  const problemOf = async (name: string): Promise<string> => {
    await dialog.locator("[aria-invalid]").waitFor();
    const described = await field(name).getAttribute("aria-describedby");
    return page.locator(`[id="${described}"] .wrong`).innerText();
  };
  await openSettings();
  await field("Time limit of a run").fill("soon");
  await dialog.getByRole("button", { name: "Save" }).click();
  expect(await problemOf("Time limit of a run")).toMatch(/such as 30 s/);
  await field("Time limit of a run").fill("90 min");
  await field("Error workflow").selectOption("Alarm");
  expect(await field("Error workflow").getByRole("option").allInnerTexts()).toEqual(["None", "Alarm"]);
  await field("Runs at the same time").fill("2");
  await field("Counted separately for each").fill("{{steps.order.output}}");
  await field("When the limit is reached").selectOption("Skip the new run");
  await dialog.getByRole("button", { name: "Save" }).click();
  expect(await problemOf("Counted separately for each")).toMatch(/input and trigger only/);
  await checkScreen(page, "run-settings");
  await field("Counted separately for each").fill("{{input.customer}}");
  await dialog.getByRole("button", { name: "Save" }).click();
  await dialog.waitFor({ state: "detached" });
  const { version, settings } = await workflowOf(user, id);
  expect(version).toBe(1);
  expect(settings).toEqual({
    timeoutMs: 5_400_000,
    errorWorkflowId: alarm,
    concurrency: { limit: 2, key: "{{input.customer}}", whenFull: "skip" },
  });

  await openSettings();
  expect(await field("Time limit of a run").inputValue()).toBe("1 h 30 min");
  await field("Time limit of a run").fill("");
  await field("Error workflow").selectOption("None");
  await field("Runs at the same time").fill("");
  await dialog.getByRole("button", { name: "Save" }).click();
  await dialog.waitFor({ state: "detached" });
  expect((await workflowOf(user, id)).settings ?? {}).toEqual({});
});

test("a draft is discarded after a question, and the live version is shown again", async () => {
  const user = await visit.register("discarder");
  const id = await createWorkflow(user);
  const page = await visit.open(`/workflows/${id}`, { user });
  await editTemplate(page, "Gone");
  await page.keyboard.press("Escape");
  await openPublish(page);
  await publishMenu(page).getByRole("button", { name: "Discard draft" }).click();
  await page.locator("dialog").getByRole("button", { name: "Discard draft" }).click();
  await page.getByRole("button", { name: /^Draft ·/ }).waitFor({ state: "detached" });
  await stepNode(page, "greet").click();
  expect(await fieldText(template(page))).toBe("Hello");
  expect((await workflowOf(user, id)).draft).toBeUndefined();
});

test("the versions list published ones with note and runs; any two are compared, one is named and restored as draft", async () => {
  const user = await visit.register("historian");
  const id = await createWorkflow(user);
  await user.post(`/api/workflows/${id}/run?wait=true`, { input: {} });
  const added = { stepId: "mail", type: "transform", name: "Mail", template: 1 };
  await user.put(`/api/workflows/${id}/draft`, {
    metadata: { steps: [{ ...greet, template: "Goodbye", timeoutMs: 5000 }, added], edges: [] },
  });
  await user.post(`/api/workflows/${id}/publish`, { note: "Shorter" });
  for (let n = 0; n < 3; n += 1)
    await user.put(`/api/workflows/${id}/draft`, { description: `Autosave ${n}` });
  const page = await visit.open(`/workflows/${id}`, { user });
  await page.getByRole("radio", { name: "Versions" }).click();
  const panel = page.getByRole("complementary", { name: "Versions" });
  const entries = panel.getByRole("list", { name: "Versions" }).getByRole("listitem");
  await panel.getByText("Shorter").waitFor();
  const texts = (await entries.allInnerTexts()).map((text) => text.replaceAll(/\s+/g, " "));
  expect(texts).toHaveLength(3);
  expect(texts[0]).toMatch(/^Draft 1 change Saved/);
  expect(texts[1]).toMatch(/^v2 Live Shorter .* · 0 runs/);
  expect(texts[2]).toMatch(/^v1 Created .* · 1 run /);

  await panel.getByRole("button", { name: "Compare with v1: v2" }).click();
  await stepNode(page, "mail").getByText("Added", { exact: true }).waitFor();
  await stepNode(page, "greet").getByText("Changed", { exact: true }).waitFor();
  await stepNode(page, "order").getByText("Removed", { exact: true }).waitFor();
  const diffs = page.getByRole("region", { name: "Comparison" }).locator(".field-diffs");
  expect(await diffs.locator("del").allInnerTexts()).toEqual(["Hello"]);
  expect(await diffs.locator("ins").allInnerTexts()).toEqual(["Goodbye", "5 s"]);
  await checkScreen(page, "compare-versions");
  const comparison = page.getByRole("region", { name: "Comparison" });
  await comparison.getByLabel("From").selectOption("v2 · Live · Shorter");
  await comparison.getByText("No differences.").waitFor();
  await comparison.getByLabel("To").selectOption("Draft");
  await comparison.getByText("Autosave 2").waitFor();
  await page.getByRole("button", { name: "Back to the editor" }).click();
  await stepNode(page, "order").waitFor({ state: "detached" });

  await panel.getByRole("button", { name: "Edit note: v1" }).click();
  await page.keyboard.press("Control+a");
  await page.keyboard.type("First");
  await panel.getByRole("button", { name: "Save note" }).click();
  await panel.getByText("First", { exact: true }).waitFor();
  await panel.getByRole("button", { name: "Restore as draft: v1" }).click();
  await page.getByText("1 unpublished change will be replaced.").waitFor();
  await confirm(page, "Replace draft");
  await stepNode(page, "order").waitFor();
  await expect.poll(async () => (await savedGraph(user, id)).steps).toHaveLength(2);
  expect((await workflowOf(user, id)).version).toBe(2);
});

test("two editors: changes to different fields merge by themselves, and only a field that both changed is asked about", async () => {
  const user = await visit.register("merger");
  const id = await createWorkflow(user);
  const page = await visit.open(`/workflows/${id}`, { user });
  await editTemplate(page, "First");
  const theirs = (fields: object) =>
    user.put(`/api/workflows/${id}/draft`, {
      metadata: {
        ...live,
        steps: [
          { ...order, name: "The purchase" },
          { ...greet, ...fields },
        ],
      },
    });
  await theirs({ template: "First", name: "Welcome" });
  await fillValue(template(page), "Mine");
  await page.getByText("Changes made elsewhere were merged.").waitFor();
  await expect
    .poll(async () => (await savedGraph(user, id)).steps)
    .toMatchObject([{ name: "The purchase" }, { name: "Welcome", template: "Mine" }]);

  await theirs({ template: "Theirs", name: "Welcome" });
  await fillValue(template(page), "Mine again");
  await page.getByText("This workflow was changed elsewhere").waitFor();
  await checkScreen(page, "merge");
  await page.getByRole("radio", { name: /Your version/ }).check();
  await page.getByRole("button", { name: "Save merged version" }).click();
  await expect.poll(async () => (await savedGraph(user, id)).steps[1].template).toBe("Mine again");
});

test("a live version published elsewhere is merged into the draft before publishing", async () => {
  const user = await visit.register("late");
  const id = await createWorkflow(user);
  const page = await visit.open(`/workflows/${id}`, { user });
  await editTemplate(page, "Mine");
  await user.patch(`/api/workflows/${id}`, {
    metadata: { ...live, steps: [{ ...order, name: "Patched" }, greet] },
  });
  await page.keyboard.press("Escape");
  await openPublish(page);
  await publishMenu(page)
    .getByRole("button", { name: /^Publish v2/ })
    .click();
  await page.getByText("Changes made elsewhere were merged.").waitFor();
  await waitForSave(page);
  await openPublish(page);
  await publishMenu(page)
    .getByRole("button", { name: /^Publish v3/ })
    .click();
  await page.getByText("Live v3", { exact: true }).waitFor();
  expect((await workflowOf(user, id)).metadata.steps).toMatchObject([
    { name: "Patched" },
    { template: "Mine" },
  ]);
});

test("a save that fails says so, offers a download, and succeeds by itself once the service answers", async () => {
  const user = await visit.register("unlucky");
  const id = await createWorkflow(user);
  const page = await visit.open(`/workflows/${id}`, { user });
  const url = `**/api/workflows/${id}/draft`;
  await page.route(url, (route) =>
    route.request().method() === "PUT" ? route.fulfill({ status: 500, body: "{}" }) : route.continue(),
  );
  await stepNode(page, "greet").click();
  await fillValue(template(page), "Kept");
  await page.getByText("Not saved, retrying").waitFor();
  const file = await downloaded(page, () => page.getByRole("button", { name: "Download" }).click());
  expect(file.metadata.steps[1].template).toBe("Kept");
  await fillValue(template(page), "Kept too");
  await page.unroute(url);
  await waitForSave(page);
  expect((await savedGraph(user, id)).steps[1].template).toBe("Kept too");
});

test("an incomplete draft is saved, its complete part runs, and the button leads to what is missing", async () => {
  const user = await visit.register("incomplete");
  const id = await createWorkflow(user, { steps: [], edges: [] });
  await user.put(`/api/workflows/${id}/draft`, {
    metadata: {
      steps: [order, { stepId: "call", type: "http", name: "Call shop" }, greet],
      edges: [
        { id: "1", source: "order", target: "call" },
        { id: "2", source: "order", target: "greet" },
      ],
    },
  });
  const page = await visit.open(`/workflows/${id}`, { user });
  await page.getByText("Not published", { exact: true }).waitFor();
  await stepNode(page, "call").getByText("Needs setup").waitFor();
  await page.getByRole("button", { name: "1 step needs setup" }).click();
  await page.locator("h2", { hasText: "Call shop" }).waitFor();
  await checkScreen(page, "needs-setup");
  await page.keyboard.press("Escape");

  await page.getByRole("button", { name: "Run", exact: true }).click();
  await stepNode(page, "greet").locator(".node.ok").waitFor();
  const { tasks } = (await user.get(`/api/tasks?workflowId=${id}`)).body;
  expect(tasks).toMatchObject([{ draft: true, trigger: "partial", status: "completed" }]);
  const { stepResults } = (await user.get(`/api/tasks/${tasks[0].id}`)).body.task;
  expect(stepResults.map(({ stepId }: { stepId: string }) => stepId).toSorted()).toEqual(["greet", "order"]);
});

test("on a phone the menu undoes, redoes, copies, publishes and exports", async () => {
  const user = await visit.register("phone");
  const id = await createWorkflow(user);
  const page = await visit.open(`/workflows/${id}`, { user, width: 390 });
  const choose = async (item: string) => {
    await page.getByRole("button", { name: "Workflow menu" }).click();
    await page.getByRole("menuitem", { name: new RegExp(`^${item}`) }).click();
  };
  await editTemplate(page, "From a phone");
  await choose("Undo");
  await expect.poll(async () => (await savedGraph(user, id)).steps[1].template).toBe("Hello");
  await choose("Redo");
  await expect.poll(async () => (await savedGraph(user, id)).steps[1].template).toBe("From a phone");
  await choose("Copy steps");
  await page.getByText("Step copied.").waitFor();
  const file = await downloaded(page, () => choose("Export"));
  expect(file.metadata.steps[1].template).toBe("From a phone");
  await choose("Publish");
  await checkScreen(page, "publish-phone");
  await publishMenu(page)
    .getByRole("button", { name: /^Publish v2/ })
    .click();
  await page.getByText("Live v2", { exact: true }).waitFor();
});
