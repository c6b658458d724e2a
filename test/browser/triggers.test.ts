import { expect, test } from "vitest";
import type { RegisteredUser } from "../support/test-app.ts";
import { addTrigger, createGreeting, triggerNode, triggerPanel } from "./support/triggers.ts";
import { checkScreen, confirm, savedGraph, useVisits } from "./support/visit.ts";

const visit = useVisits();

test("an endpoint is added, named, called with a key made in place, paused and removed", async () => {
  const user = await visit.register("publisher");
  const id = await createGreeting(user);
  const page = await visit.open(`/workflows/${id}`, { user });
  await addTrigger(page, "Endpoint");
  await triggerNode(page, "endpoint").waitFor();
  await triggerPanel(page).getByText("Live v1").waitFor();
  await triggerPanel(page).getByLabel("Name in URL").fill("greet");
  await triggerPanel(page).getByRole("button", { name: "Save name" }).click();
  await triggerPanel(page).getByText(`${visit.base}/api/workflows/public/greet`).waitFor();
  await triggerPanel(page).getByRole("button", { name: "Create API key" }).click();
  const key = (await triggerPanel(page).locator("[data-secret]").textContent()) ?? "";
  await checkScreen(page, "trigger-endpoint");

  await triggerPanel(page).getByRole("tab", { name: "Call it" }).click();
  await triggerPanel(page).getByRole("tab", { name: "Python" }).click();
  await triggerPanel(page).getByText("requests.post").waitFor();
  // The new key is still shown, and is the one to try.
  await triggerPanel(page).getByText(key).waitFor();
  await triggerPanel(page).getByLabel("Input (JSON)").fill('{"name": "Ada"}');
  await triggerPanel(page).getByRole("button", { name: "Send request" }).click();
  await triggerPanel(page).getByText('"Hello Ada"').first().waitFor();
  await triggerPanel(page).getByRole("tab", { name: "Recent calls" }).click();
  await triggerPanel(page).getByRole("link", { name: "Open run" }).waitFor();

  await triggerPanel(page).getByRole("tab", { name: "Settings" }).click();
  await triggerPanel(page)
    .getByLabel("Response", { exact: true })
    .selectOption({ label: "Immediately, with the id of the run" });
  await triggerPanel(page).getByLabel("Authentication").selectOption({ label: "None" });
  await triggerPanel(page).getByText("Anyone who knows the URL can start this workflow.").waitFor();
  const settings = async () => (await user.get(`/api/workflows/${id}`)).body.workflow.apiSettings;
  await expect.poll(settings).toMatchObject({ sync: false, authentication: false });
  await triggerPanel(page).getByRole("switch", { name: "Active" }).click();
  await triggerNode(page, "endpoint").getByText("Paused").waitFor();
  expect((await visit.app.anonymous.post("/api/workflows/public/greet", {})).status).toBe(404);

  await triggerPanel(page).getByRole("button", { name: "Remove endpoint" }).click();
  await page.getByRole("dialog").getByText("/api/workflows/public/greet").waitFor();
  await confirm(page, "Remove");
  await triggerNode(page, "manual").waitFor();
  expect(await settings()).toMatchObject({ enabled: false, endpointName: null });
});

test("Escape and the canvas close the panel, and ask before they discard what was typed", async () => {
  const user = await visit.register("leaver");
  const id = await createGreeting(user);
  const page = await visit.open(`/workflows/${id}`, { user });
  await triggerNode(page, "manual").click();
  await triggerPanel(page).getByRole("button", { name: "Run" }).focus();
  await page.keyboard.press("Escape");
  await triggerPanel(page).waitFor({ state: "detached" });

  await addTrigger(page, "Webhook");
  await triggerPanel(page).getByLabel("Source").fill("precious");
  await page.keyboard.press("Escape");
  await triggerPanel(page).getByText("Discard what you entered?").waitFor();
  await triggerPanel(page).getByRole("button", { name: "Keep editing" }).click();
  expect(await triggerPanel(page).getByLabel("Source").inputValue()).toBe("precious");
  // So does a click on the canvas or on a step.
  await page.locator(".react-flow__pane").click({ position: { x: 120, y: 500 } });
  await triggerPanel(page).getByRole("button", { name: "Keep editing" }).click();
  expect(await triggerPanel(page).getByLabel("Source").inputValue()).toBe("precious");
  await triggerPanel(page).getByRole("button", { name: "Close panel" }).click();
  await triggerPanel(page).getByRole("button", { name: "Discard" }).click();
  await triggerPanel(page).waitFor({ state: "detached" });
  expect((await user.get("/api/webhooks")).body.webhooks).toEqual([]);
});

test("a schedule shows its next dates in its own zone, and is created, paused, edited and deleted", async () => {
  const user = await visit.register("planner");
  const id = await createGreeting(user);
  const page = await visit.open(`/workflows/${id}`, { user });
  await addTrigger(page, "Schedule");
  const form = triggerPanel(page);
  await form.getByLabel("Frequency").selectOption({ label: "Every weekday at 8:00" });
  await form.getByLabel("Time zone").selectOption("Asia/Tokyo");
  await form.getByText("Monday to Friday at 08:00").waitFor();
  await expect.poll(() => form.locator(".next-times li").count()).toBe(5);
  for (const line of await form.locator(".next-times li").allTextContents())
    expect(line).toContain("08:00 GMT+9");
  await form.getByLabel("Cron").fill("sometimes");
  await form.getByText("The cron pattern is invalid:").waitFor();
  await form.getByLabel("Cron").fill("0 8 * * 1-5");
  await form.getByLabel("Overlap").selectOption({ label: "Skip the new run" });
  await form.getByLabel("Missed runs").selectOption({ label: "Skip them" });
  await form.getByRole("button", { name: "Create schedule" }).click();
  await triggerNode(page, "schedule").getByText("Monday to Friday at 08:00").waitFor();
  await expect.poll(() => form.locator(".next-times li").count()).toBe(5);
  await checkScreen(page, "trigger-schedule");

  await form.getByRole("switch", { name: "Active" }).click();
  await triggerNode(page, "schedule").getByText("Paused").waitFor();
  expect((await user.get("/api/schedules")).body.schedules).toMatchObject([
    { active: false, overlap: "skip", misfire: "skip", timezone: "Asia/Tokyo", workflowId: id },
  ]);
  await form.getByLabel("Name").fill("Morning");
  await form.getByLabel("Frequency").selectOption({ label: "Every 15 minutes" });
  await form.getByRole("button", { name: "Save", exact: true }).click();
  await triggerNode(page, "schedule").getByText("Schedule · every 15 minutes").waitFor();
  await triggerNode(page, "schedule").getByText("Morning").waitFor();
  await form.getByRole("tab", { name: "Recent runs" }).click();
  await form.getByText("No scheduled runs yet.").waitFor();
  await form.getByRole("tab", { name: "Settings" }).click();
  await form.getByRole("button", { name: "Delete schedule" }).click();
  await confirm(page, "Delete");
  await triggerNode(page, "manual").waitFor();
});

test("a form is added with fields, opened by its link and filled in", async () => {
  const user = await visit.register("asker");
  const id = await createGreeting(user);
  const page = await visit.open(`/workflows/${id}`, { user });
  await triggerNode(page, "manual").click();
  await triggerPanel(page).getByRole("button", { name: "Form" }).click();
  await triggerNode(page, "form").getByText("Greeting").waitFor();
  const form = triggerPanel(page);

  await form.getByRole("button", { name: "Add field" }).click();
  await form.getByLabel("Name", { exact: true }).fill("name");
  await form.getByLabel("Label").fill("Your name");
  await form.getByRole("switch", { name: "Required" }).check();
  await form.getByRole("button", { name: "Add field" }).click();
  await form.getByLabel("Name", { exact: true }).fill("size");
  await form.getByLabel("Type").selectOption({ label: "Choice" });
  await form.getByLabel("Choices").fill("Small\nLarge");
  await form.getByText("2 choices").waitFor();
  // By menu, which works without a mouse.
  await form.getByRole("button", { name: "Field size" }).click();
  await page.getByRole("menuitem", { name: "Move up" }).click();
  const saved = async () => (await savedGraph(user, id)).inputSchema;
  await checkScreen(page, "trigger-form");

  await form.getByRole("tab", { name: "Preview" }).click();
  await form.getByLabel("Your name").waitFor();
  await form.getByLabel("Size").waitFor();
  await form.getByRole("tab", { name: "Settings" }).click();
  expect(await form.getByLabel("Access").inputValue()).toBe("anyone");
  expect(await form.getByLabel("Title").inputValue()).toBe("Greeting");
  await form.getByLabel("Title").fill("Say hello");
  await form.getByRole("button", { name: "Save texts" }).click();
  await form.getByRole("heading", { name: "Say hello" }).waitFor();
  await publish(user, id);
  expect(Object.keys((await saved()).properties)).toEqual(["size", "name"]);
  expect((await saved()).required).toEqual(["name"]);

  const person = await visit.open(`/f/${id}`);
  await person.getByLabel("Your name").fill("Ada");
  await person.getByLabel("Size").selectOption("Large");
  await person.getByRole("button", { name: "Submit" }).click();
  await person.getByText("Hello Ada").waitFor();
  await form.getByRole("tab", { name: "Responses" }).click();
  await form.getByRole("link", { name: "Open run" }).waitFor();

  await form.getByRole("tab", { name: "Settings" }).click();
  await form.getByRole("button", { name: "Delete form" }).click();
  await confirm(page, "Delete");
  await triggerNode(page, "manual").waitFor();
  expect((await visit.app.anonymous.get(`/api/forms/${id}`)).status).toBe(404);
});

/** Publishes the edits once they are saved. */
async function publish(user: RegisteredUser, id: string): Promise<void> {
  await expect
    .poll(async () => {
      const { draft } = (await user.get(`/api/workflows/${id}/draft`)).body;
      if (draft?.metadata?.inputSchema !== undefined) await user.post(`/api/workflows/${id}/publish`, {});
      return (await user.get(`/api/workflows/${id}`)).body.workflow.metadata.inputSchema?.required;
    })
    .toEqual(["name"]);
}

test("a paused workflow says so in the panel of its triggers, and is activated there", async () => {
  const user = await visit.register("pauser");
  const id = await createGreeting(user);
  await user.patch(`/api/workflows/${id}`, { active: false, form: { enabled: true } });
  const page = await visit.open(`/workflows/${id}`, { user });
  await triggerNode(page, "form").click();
  await triggerPanel(page).getByText("This workflow is paused: its triggers start nothing.").waitFor();
  await triggerPanel(page).getByRole("button", { name: "Activate workflow" }).click();
  await triggerPanel(page).getByText("This workflow is paused").waitFor({ state: "detached" });
  expect((await user.get(`/api/workflows/${id}`)).body.workflow.active).toBe(true);
});

test("the panel of a trigger says which version it starts, and that changes wait for Publish", async () => {
  const user = await visit.register("reviser");
  const id = await createGreeting(user);
  await user.patch(`/api/workflows/${id}`, { form: { enabled: true } });
  const page = await visit.open(`/workflows/${id}`, { user });
  await triggerNode(page, "form").click();
  await triggerPanel(page).getByText("Live v1").waitFor();
  await triggerPanel(page).getByText("Starts the live version.", { exact: true }).waitFor();
  await user.put(`/api/workflows/${id}/draft`, { description: "Changed" });
  await page.reload();
  await triggerNode(page, "form").click();
  await triggerPanel(page).getByText("Starts the live version. Changes apply after Publish.").waitFor();
});

test("old addresses of endpoints, webhooks and schedules lead to the builder or the list", async () => {
  const user = await visit.register("follower");
  const id = await createGreeting(user);
  const { webhook } = (await user.post("/api/webhooks", { name: "Shop", source: "old", workflowId: id }))
    .body;
  const page = await visit.open(`/endpoints?workflow=${id}`, { user });
  await triggerPanel(page).getByRole("heading", { name: "Endpoint" }).waitFor();
  await page.goto(`${visit.base}/endpoints/webhooks/${webhook.id}`);
  await triggerPanel(page).getByRole("heading", { name: "Shop" }).waitFor();
  for (const path of [
    "/endpoints",
    "/endpoints/webhooks",
    "/endpoints/schedules",
    "/webhooks",
    "/schedules",
  ]) {
    await page.goto(`${visit.base}${path}`);
    await page.waitForURL(`${visit.base}/workflows`);
  }
});
