import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import type { RegisteredUser } from "../support/test-app.ts";
import { checkScreen, confirm, savedGraph, useVisits } from "./support/visit.ts";

const visit = useVisits();

async function createGreeting(user: RegisteredUser, more: object = {}): Promise<string> {
  const metadata = {
    steps: [{ stepId: "greet", type: "transform", template: "Hello {{input.name}}" }],
    edges: [],
    ...more,
  };
  return (await user.post("/api/workflows", { name: "Greeting", metadata })).body.workflow.id as string;
}

async function addTrigger(page: Page, name: string): Promise<void> {
  await page.getByRole("button", { name: "Add trigger" }).click();
  await page.getByRole("menuitem", { name }).click();
}

const panel = (page: Page) => page.locator(".trigger-panel");
const node = (page: Page, kind: string) => page.locator(`.react-flow__node[data-id^="trigger:${kind}:"]`);

test("an endpoint is added, named, called with a key made in place, paused and removed", async () => {
  const user = await visit.register("publisher");
  const id = await createGreeting(user);
  const page = await visit.open(`/workflows/${id}`, { user });
  await addTrigger(page, "Endpoint");
  await node(page, "endpoint").waitFor();
  await panel(page).getByText("Live v1").waitFor();
  await panel(page).getByLabel("Name in URL").fill("greet");
  await panel(page).getByRole("button", { name: "Save name" }).click();
  await panel(page).getByText(`${visit.base}/api/workflows/public/greet`).waitFor();
  await panel(page).getByRole("button", { name: "Create API key" }).click();
  const key = (await panel(page).locator("[data-secret]").textContent()) ?? "";
  await checkScreen(page, "trigger-endpoint");

  await panel(page).getByRole("tab", { name: "Call it" }).click();
  await panel(page).getByRole("tab", { name: "Python" }).click();
  await panel(page).getByText("requests.post").waitFor();
  await panel(page).getByRole("textbox", { name: "API key" }).fill(key);
  await panel(page).getByLabel("Input (JSON)").fill('{"name": "Ada"}');
  await panel(page).getByRole("button", { name: "Send request" }).click();
  await panel(page).getByText('"Hello Ada"').first().waitFor();
  await panel(page).getByRole("tab", { name: "Recent calls" }).click();
  await panel(page).getByRole("link", { name: "Open run" }).waitFor();

  await panel(page).getByRole("tab", { name: "Settings" }).click();
  await panel(page).getByLabel("Response", { exact: true }).selectOption({ label: "Task id at once" });
  await panel(page).getByLabel("Authentication").selectOption({ label: "None" });
  await panel(page).getByText("Anyone who knows the URL can start this workflow.").waitFor();
  const settings = async () => (await user.get(`/api/workflows/${id}`)).body.workflow.apiSettings;
  await expect.poll(settings).toMatchObject({ sync: false, authentication: false });
  await panel(page).getByRole("switch", { name: "Active" }).click();
  await node(page, "endpoint").getByText("Paused").waitFor();
  expect((await visit.app.anonymous.post("/api/workflows/public/greet", {})).status).toBe(404);

  await panel(page).getByRole("button", { name: "Remove endpoint" }).click();
  await page.getByRole("dialog").getByText("/api/workflows/public/greet").waitFor();
  await confirm(page, "Remove");
  await node(page, "manual").waitFor();
  expect(await settings()).toMatchObject({ enabled: false, endpointName: null });
});

test("a webhook is created, receives a call, is redelivered, signed, rotated and deleted", async () => {
  const user = await visit.register("receiver");
  const id = await createGreeting(user);
  const page = await visit.open(`/workflows/${id}`, { user });
  await addTrigger(page, "Webhook");
  expect(await panel(page).getByLabel("Source").inputValue()).toBe("greeting");
  await panel(page).getByLabel("Source").fill("shop");
  await panel(page).getByRole("button", { name: "Create webhook" }).click();
  const secret = (await panel(page).locator("[data-secret]").textContent()) ?? "";
  await node(page, "webhook").getByText("Webhook · shop").waitFor();
  const send = (body: unknown, withSecret = secret) =>
    visit.app.anonymous.post("/webhook/shop", body, { "x-webhook-secret": withSecret });
  expect((await send({ name: "Grace" })).status).toBe(200);

  await panel(page).getByRole("tab", { name: "Deliveries" }).click();
  // The closed row shows a preview of the payload.
  await panel(page).locator("summary", { hasText: "accepted" }).getByText('{"name":"Grace"}').click();
  await panel(page).getByRole("group", { name: "Value" }).getByText('"Grace"').waitFor();
  await checkScreen(page, "trigger-webhook");
  await panel(page).getByRole("button", { name: "Redeliver" }).click();
  await panel(page).getByText("redelivered", { exact: true }).waitFor();

  await page.reload();
  await node(page, "webhook").click();
  await panel(page).getByText("/webhook/shop").first().waitFor();
  expect(await page.content()).not.toContain(secret);
  await panel(page).getByLabel("Name", { exact: true }).fill("The shop");
  await panel(page).getByLabel("Source").fill("store");
  await panel(page).getByText("The URL changes: senders must call /webhook/store from now on.").waitFor();
  await panel(page).getByLabel("Signature").selectOption({ label: "GitHub" });
  await panel(page).getByLabel("Secret", { exact: true }).fill("shared words");
  await panel(page).getByRole("button", { name: "Save", exact: true }).click();
  await panel(page).getByRole("heading", { name: "The shop" }).waitFor();
  expect((await user.get("/api/webhooks")).body.webhooks).toMatchObject([
    { name: "The shop", source: "store", signature: { scheme: "github" } },
  ]);

  await panel(page).getByRole("button", { name: "Rotate secret" }).click();
  await confirm(page, "Rotate");
  expect(await panel(page).locator("[data-secret]").textContent()).not.toBe(secret);
  await panel(page).getByRole("switch", { name: "Active" }).click();
  await node(page, "webhook").getByText("Paused").waitFor();
  await panel(page).getByRole("button", { name: "Delete webhook" }).click();
  await page.getByRole("dialog").getByText("its deliveries are deleted").waitFor();
  await confirm(page, "Delete");
  await node(page, "manual").waitFor();
  expect((await user.get("/api/webhooks")).body.webhooks).toEqual([]);
});

test("the webhook form asks for what the chosen signature needs", async () => {
  const user = await visit.register("signer");
  const id = await createGreeting(user);
  const page = await visit.open(`/workflows/${id}`, { user });
  await addTrigger(page, "Webhook");
  const form = panel(page);
  await form.getByLabel("Source").fill("signed");
  expect(await form.locator("input[type=password]").count()).toBe(0);
  for (const [scheme, label] of [
    ["Twilio", "Auth token"],
    ["Microsoft Graph", "Client state"],
    ["Zoom", "Secret token"],
    ["Bearer token", "Token"],
  ] as const) {
    await form.getByLabel("Signature").selectOption({ label: scheme });
    await form.getByLabel(label, { exact: true }).waitFor();
    expect(await form.getByLabel("Header", { exact: true }).count()).toBe(0);
  }
  await form.getByLabel("Signature").selectOption({ label: "Meta (Facebook, Instagram, WhatsApp)" });
  await form.getByText("Enter the webhook's secret as the verify token.").waitFor();

  await form.getByLabel("Signature").selectOption({ label: "HMAC (other)" });
  await form.getByLabel("Signing secret").fill("shared");
  await form.getByLabel("Header", { exact: true }).fill("x-sign");
  await form.getByLabel("Prefix").fill("v1=");
  await form.getByLabel("Algorithm").selectOption({ label: "SHA-512" });
  await form.getByLabel("Encoding").selectOption({ label: "Base64" });
  await form.getByLabel("Time header").fill("x-time");
  await form.getByRole("button", { name: "Create webhook" }).click();
  await form.locator("[data-secret]").waitFor();
  const options = { header: "x-sign", prefix: "v1=", algorithm: "sha512", encoding: "base64" };
  const saved = async () => (await user.get("/api/webhooks")).body.webhooks[0].signature;
  expect(await saved()).toEqual({ scheme: "hmac", ...options, timestampHeader: "x-time" });

  // Changed options need the secret again; the service never returns it.
  await form.getByLabel("Prefix").fill("v2=");
  await form.getByLabel("Signing secret").fill("shared");
  await form.getByRole("button", { name: "Save", exact: true }).click();
  await expect.poll(saved).toMatchObject({ prefix: "v2=" });
});

test("Escape and the canvas close the panel, and ask before they discard what was typed", async () => {
  const user = await visit.register("leaver");
  const id = await createGreeting(user);
  const page = await visit.open(`/workflows/${id}`, { user });
  await node(page, "manual").click();
  await panel(page).getByRole("button", { name: "Run" }).focus();
  await page.keyboard.press("Escape");
  await panel(page).waitFor({ state: "detached" });

  await addTrigger(page, "Webhook");
  await panel(page).getByLabel("Source").fill("precious");
  await page.keyboard.press("Escape");
  await panel(page).getByText("Discard what you entered?").waitFor();
  await panel(page).getByRole("button", { name: "Keep editing" }).click();
  expect(await panel(page).getByLabel("Source").inputValue()).toBe("precious");
  // So does a click on the canvas or on a step.
  await page.locator(".react-flow__pane").click({ position: { x: 120, y: 500 } });
  await panel(page).getByRole("button", { name: "Keep editing" }).click();
  expect(await panel(page).getByLabel("Source").inputValue()).toBe("precious");
  await panel(page).getByRole("button", { name: "Close panel" }).click();
  await panel(page).getByRole("button", { name: "Discard" }).click();
  await panel(page).waitFor({ state: "detached" });
  expect((await user.get("/api/webhooks")).body.webhooks).toEqual([]);
});

test("a test event runs the workflow with the request, and fields are learned from it", async () => {
  const user = await visit.register("listener");
  const id = await createGreeting(user);
  const { webhook } = (await user.post("/api/webhooks", { name: "Shop", source: "listen", workflowId: id }))
    .body;
  const page = await visit.open(`/workflows/${id}`, { user });
  await node(page, "webhook").click();
  await panel(page).getByRole("button", { name: "Listen for a test event" }).click();
  await panel(page).getByText("Listening for a test event").waitFor();
  await checkScreen(page, "trigger-listening");
  await visit.app.anonymous.post(
    "/webhook/listen",
    { name: "Grace", total: 12.5, email: "grace@example.com" },
    { "x-webhook-secret": webhook.secret },
  );
  await panel(page).getByRole("button", { name: "Listen for a test event" }).waitFor();
  const triggers = async () =>
    (await user.get(`/api/tasks?workflowId=${id}`)).body.tasks.map(
      (task: { trigger: string }) => task.trigger,
    );
  await expect.poll(triggers).toEqual(["manual", "webhook"]);

  await panel(page).getByRole("button", { name: "Learn from last delivery" }).click();
  await panel(page).getByRole("button", { name: "total", exact: true }).waitFor();
  await panel(page).getByText("email", { exact: true }).last().waitFor();
  await panel(page).getByRole("button", { name: "Run with a sample" }).click();
  await expect.poll(async () => (await triggers()).length).toBe(3);
});

test("a schedule shows its next dates in its own zone, and is created, paused, edited and deleted", async () => {
  const user = await visit.register("planner");
  const id = await createGreeting(user);
  const page = await visit.open(`/workflows/${id}`, { user });
  await addTrigger(page, "Schedule");
  const form = panel(page);
  await form.getByLabel("Frequency").selectOption({ label: "Every weekday at 8:00" });
  await form.getByLabel("Time zone").selectOption("Asia/Tokyo");
  await form.getByText("Monday to Friday at 08:00").waitFor();
  await expect.poll(() => form.locator(".next-times li").count()).toBe(5);
  for (const line of await form.locator(".next-times li").allTextContents())
    expect(line).toContain("08:00 GMT+9");
  await form.getByLabel("Cron").fill("sometimes");
  await form.getByText("The cron pattern is invalid.").waitFor();
  await form.getByLabel("Cron").fill("0 8 * * 1-5");
  await form.getByLabel("Overlap").selectOption({ label: "Skip the new run" });
  await form.getByLabel("Missed runs").selectOption({ label: "Skip them" });
  await form.getByRole("button", { name: "Create schedule" }).click();
  await node(page, "schedule").getByText("Monday to Friday at 08:00").waitFor();
  await expect.poll(() => form.locator(".next-times li").count()).toBe(5);
  await checkScreen(page, "trigger-schedule");

  await form.getByRole("switch", { name: "Active" }).click();
  await node(page, "schedule").getByText("Paused").waitFor();
  expect((await user.get("/api/schedules")).body.schedules).toMatchObject([
    { active: false, overlap: "skip", misfire: "skip", timezone: "Asia/Tokyo", workflowId: id },
  ]);
  await form.getByLabel("Name").fill("Morning");
  await form.getByLabel("Frequency").selectOption({ label: "Every 15 minutes" });
  await form.getByRole("button", { name: "Save", exact: true }).click();
  await node(page, "schedule").getByText("Schedule · every 15 minutes").waitFor();
  await node(page, "schedule").getByText("Morning").waitFor();
  await form.getByRole("tab", { name: "Recent runs" }).click();
  await form.getByText("No scheduled runs yet.").waitFor();
  await form.getByRole("tab", { name: "Settings" }).click();
  await form.getByRole("button", { name: "Delete schedule" }).click();
  await confirm(page, "Delete");
  await node(page, "manual").waitFor();
});

test("a form is added with fields, opened by its link and filled in", async () => {
  const user = await visit.register("asker");
  const id = await createGreeting(user);
  const page = await visit.open(`/workflows/${id}`, { user });
  await node(page, "manual").click();
  await panel(page).getByRole("button", { name: "Form" }).click();
  await node(page, "form").getByText("Greeting").waitFor();
  const form = panel(page);

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
  await form.getByLabel("Authentication").selectOption({ label: "None: anyone with the link" });
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
  await node(page, "manual").waitFor();
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
  await node(page, "form").click();
  await panel(page).getByText("This workflow is paused: its triggers start nothing.").waitFor();
  await panel(page).getByRole("button", { name: "Activate workflow" }).click();
  await panel(page).getByText("This workflow is paused").waitFor({ state: "detached" });
  expect((await user.get(`/api/workflows/${id}`)).body.workflow.active).toBe(true);
});

test("the panel of a trigger says which version it starts, and that changes wait for Publish", async () => {
  const user = await visit.register("reviser");
  const id = await createGreeting(user);
  await user.patch(`/api/workflows/${id}`, { form: { enabled: true } });
  const page = await visit.open(`/workflows/${id}`, { user });
  await node(page, "form").click();
  await panel(page).getByText("Live v1").waitFor();
  await panel(page).getByText("Starts the live version.", { exact: true }).waitFor();
  await user.put(`/api/workflows/${id}/draft`, { description: "Changed" });
  await page.reload();
  await node(page, "form").click();
  await panel(page).getByText("Starts the live version. Changes apply after Publish.").waitFor();
});

test("old addresses of endpoints, webhooks and schedules lead to the builder or the list", async () => {
  const user = await visit.register("follower");
  const id = await createGreeting(user);
  const { webhook } = (await user.post("/api/webhooks", { name: "Shop", source: "old", workflowId: id }))
    .body;
  const page = await visit.open(`/endpoints?workflow=${id}`, { user });
  await panel(page).getByRole("heading", { name: "Endpoint" }).waitFor();
  await page.goto(`${visit.base}/endpoints/webhooks/${webhook.id}`);
  await panel(page).getByRole("heading", { name: "Shop" }).waitFor();
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

test("API keys are created and revoked in the settings", async () => {
  const user = await visit.register("keyholder");
  await user.post("/api/workflows", { name: "A", apiSettings: { enabled: true, endpointName: "guarded" } });
  const page = await visit.open("/settings/api-keys", { user });
  await page.getByLabel("Name of the new key").fill("Shop");
  await page.getByRole("button", { name: "Create key" }).click();
  const key = (await page.locator("[data-secret]").textContent()) ?? "";
  await page.getByRole("button", { name: "Done" }).click();
  await page.getByRole("cell", { name: "Shop" }).waitFor();
  expect(await page.content()).not.toContain(key);
  const call = () =>
    visit.app.anonymous.post("/api/workflows/public/guarded", {}, { authorization: `Bearer ${key}` });
  expect((await call()).status).toBe(200);
  await page.getByRole("button", { name: "Revoke" }).click();
  await confirm(page, "Revoke key");
  await page.getByText("revoked", { exact: true }).waitFor();
  expect((await call()).body).toMatchObject({ error: "invalid_api_key" });
});
