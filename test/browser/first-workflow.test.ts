import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { stepNode } from "./support/builder.ts";
import { flakyService } from "./support/runs.ts";
import { fieldText, savedGraph, useVisits, waitForSave } from "./support/visit.ts";

const visit = useVisits();

const stepPanel = (page: Page) => page.getByRole("complementary", { name: "Inspector" });
const completion = (page: Page) => page.locator(".cm-tooltip-autocomplete");

test("importing a file that is not a workflow says so, and nothing is created", async () => {
  const user = await visit.register("importer");
  const page = await visit.open("/workflows", { user });
  const choose = (name: string, content: object) =>
    page.getByLabel("Workflow file").setInputFiles({
      name,
      mimeType: "application/json",
      buffer: Buffer.from(JSON.stringify(content)),
    });
  await choose("package.json", { name: "orders", version: "1.0.0" });
  await page.getByText("This file is not a workflow.").waitFor();
  expect((await user.get("/api/workflows")).body.workflows).toEqual([]);
});

test("publishing shows how the run ended that was just tried, also when the list of runs is older", async () => {
  const user = await visit.register("quick-publisher");
  const { body } = await user.post("/api/workflows", {
    name: "Quick",
    metadata: { steps: [{ stepId: "greet", type: "transform", template: "Hello" }], edges: [] },
  });
  const id = body.workflow.id as string;
  const { metadata } = body.workflow;
  metadata.steps[0].template = "Hello again";
  expect((await user.put(`/api/workflows/${id}/draft`, { metadata })).status).toBe(200);
  const page = await visit.open(`/workflows/${id}`, { user });
  await page.route("**/api/tasks?*", async (route) => {
    const response = await route.fetch();
    const list = await response.json();
    const tasks = list.tasks.map((task: object) => ({ ...task, status: "running" }));
    await route.fulfill({ response, json: { ...list, tasks } });
  });
  await stepNode(page, "greet").waitFor();
  await page.keyboard.press("Control+Enter");
  await page.locator(".node.ok").waitFor();
  await page.getByRole("button", { name: "Publish" }).click();
  const menu = page.getByRole("dialog", { name: "Publish" });
  await menu.getByText("No problems, last draft run completed").waitFor();
});

test("a first workflow is named on its title, asked for by a form and known by its name before it is published", async () => {
  const user = await visit.register("newcomer");
  const page = await visit.open("/documents", { user });
  await page.getByRole("heading", { name: "Documents", level: 1 }).waitFor();
  await page.keyboard.press("Control+k");
  await page.getByRole("dialog").getByRole("combobox").fill("new workflow");
  await page.keyboard.press("Enter");
  await page.waitForURL(/\/workflows\/wf_/);
  const id = new URL(page.url()).pathname.split("/").at(-1)!;

  await page.getByRole("button", { name: /^Form/ }).click();
  const trigger = page.locator(".trigger-panel");
  await trigger.getByText("Starts no step until you publish.").waitFor();
  expect(await trigger.getByLabel("Title").inputValue()).toBe("");
  await trigger.getByRole("button", { name: "Add field" }).click();
  await expect
    .poll(() => trigger.getByLabel("Name", { exact: true }).evaluate((field) => field.matches(":focus")))
    .toBe(true);
  await page.keyboard.type("orderId");

  await page.getByRole("heading", { level: 1 }).getByRole("button").click();
  await expect
    .poll(() =>
      stepPanel(page)
        .getByLabel("Name", { exact: true })
        .evaluate((field) => field.matches(":focus")),
    )
    .toBe(true);
  await page.keyboard.type("Order check");
  await waitForSave(page);
  expect((await user.get(`/api/workflows/${id}`)).body.workflow).toMatchObject({ name: "Order check" });
  // A click on a node always opens its panel, whatever panel is open.
  await page.locator(".react-flow__node-trigger").click();
  await trigger.waitFor();

  await page.getByRole("button", { name: "Add first step" }).click();
  await page.keyboard.type("approval");
  await page.keyboard.press("Enter");
  await stepPanel(page).getByRole("textbox", { name: "Question" }).waitFor();
  // The declared field is offered before any run.
  await page.keyboard.type("Ship @order");
  const question = stepPanel(page).getByRole("textbox", { name: "Question" });
  const option = completion(page).getByText("Input › orderId");
  // The editor ignores a click while it still filters the list.
  await expect
    .poll(async () => {
      await option.click({ timeout: 2000 }).catch(() => undefined);
      return fieldText(question);
    })
    .toBe("Ship {{input.orderId}}");
  await page.keyboard.type("?");
  expect(await fieldText(question)).toBe("Ship {{input.orderId}}?");
  // D disables and N adds a note on the canvas: what is typed after a click on "+" must go into the field.
  await stepPanel(page).getByRole("button", { name: "+ Data to show" }).click();
  const data = stepPanel(page).getByRole("textbox", { name: "Data to show" });
  await expect.poll(() => data.evaluate((field) => field.matches(":focus"))).toBe(true);
  await page.keyboard.type("Nadia");
  expect(await fieldText(data)).toBe("Nadia");
  await waitForSave(page);
  expect(await savedGraph(user, id)).toMatchObject({ steps: [{ type: "approval", context: "Nadia" }] });
});

test("an unpublished workflow is repaired and rerun in its draft, and its approval decided at the step", async () => {
  const user = await visit.register("mender");
  const { url, repair } = await flakyService();
  const { body } = await user.post("/api/workflows", { name: "Untitled workflow" });
  const id = body.workflow.id as string;
  await user.put(`/api/workflows/${id}/draft`, {
    metadata: {
      steps: [
        { stepId: "ask", type: "approval", name: "Ask", message: "Send it?" },
        { stepId: "send", type: "http", name: "Send", url },
      ],
      edges: [{ id: "e", source: "ask", target: "send" }],
    },
  });
  const page = await visit.open(`/workflows/${id}?step=ask`, { user });
  await page.getByRole("button", { name: "Run", exact: true }).click();
  // Exact: the settings, which are open until the run has started, have a button "+ Approvers".
  await stepPanel(page).getByRole("button", { name: "Approve", exact: true }).click();
  await stepNode(page, "send").locator(".node.bad").waitFor();

  // A new step opens on its settings, although the output of the run was shown.
  await page.getByRole("button", { name: "Add step after Send" }).click();
  await page.keyboard.type("transform");
  await page.keyboard.press("Enter");
  await stepPanel(page).getByRole("tab", { name: "Settings", selected: true }).waitFor();
  await page.keyboard.type("done");
  await waitForSave(page);

  repair();
  await page.getByRole("link", { name: "Open run" }).click();
  await page.getByRole("button", { name: "Rerun", exact: true }).click();
  const draft = page.getByRole("radio", { name: /^Draft/ });
  await draft.waitFor();
  expect(await draft.isChecked()).toBe(true);
  expect(await page.getByRole("radio", { name: /^Live/ }).count()).toBe(0);
  await page.getByRole("button", { name: "Rerun with draft" }).click();
  await page.locator(".top [data-status=completed]").waitFor();
  await page.locator('.tl-row[data-step="transform"][data-status=completed]').waitFor();
});
