import { expect, test } from "vitest";
import { addTrigger, createGreeting, triggerNode, triggerPanel } from "./support/triggers.ts";
import { checkScreen, confirm, useVisits } from "./support/visit.ts";

const visit = useVisits();

test("a webhook is created, receives a call, is redelivered, signed, rotated and deleted", async () => {
  const user = await visit.register("receiver");
  const id = await createGreeting(user);
  const page = await visit.open(`/workflows/${id}`, { user });
  await addTrigger(page, "Webhook");
  expect(await triggerPanel(page).getByLabel("Source").inputValue()).toBe("greeting");
  await triggerPanel(page).getByLabel("Source").fill("shop");
  await triggerPanel(page).getByRole("button", { name: "Create webhook" }).click();
  const secret = (await triggerPanel(page).locator("[data-secret]").textContent()) ?? "";
  // The command works as it is; a webhook without a signature has no calls "without the signature".
  await triggerPanel(page)
    .locator("pre", { hasText: `-H "x-webhook-secret: ${secret}"` })
    .waitFor();
  expect(await triggerPanel(page).getByText("without the signature").count()).toBe(0);
  await triggerNode(page, "webhook").getByText("Webhook · shop").waitFor();
  const send = (body: unknown, withSecret = secret) =>
    visit.app.anonymous.post("/webhook/shop", body, { "x-webhook-secret": withSecret });
  expect((await send({ name: "Grace" }, "wrong")).status).toBe(403);
  expect((await send({ name: "Grace" })).status).toBe(200);

  await triggerPanel(page).getByRole("tab", { name: "Deliveries" }).click();
  await triggerPanel(page).locator("summary", { hasText: "rejected" }).getByText("Wrong secret").waitFor();
  // The closed row shows a preview of the payload.
  await triggerPanel(page).locator("summary", { hasText: "accepted" }).getByText('{"name":"Grace"}').click();
  await triggerPanel(page).getByRole("group", { name: "Value" }).getByText('"Grace"').waitFor();
  await checkScreen(page, "trigger-webhook");
  await triggerPanel(page).getByRole("button", { name: "Redeliver" }).click();
  await triggerPanel(page).getByText("redelivered", { exact: true }).waitFor();

  await page.reload();
  await triggerNode(page, "webhook").click();
  await triggerPanel(page).getByText("/webhook/shop").first().waitFor();
  expect(await page.content()).not.toContain(secret);
  await triggerPanel(page).getByLabel("Name", { exact: true }).fill("The shop");
  await triggerPanel(page).getByLabel("Source").fill("store");
  await triggerPanel(page)
    .getByText("The URL changes: senders must call /webhook/store from now on.")
    .waitFor();
  await triggerPanel(page).getByLabel("Signature").selectOption({ label: "GitHub" });
  await triggerPanel(page).getByLabel("Secret", { exact: true }).fill("shared words");
  await triggerPanel(page).getByRole("button", { name: "Save", exact: true }).click();
  await triggerPanel(page).getByRole("heading", { name: "The shop" }).waitFor();
  expect((await user.get("/api/webhooks")).body.webhooks).toMatchObject([
    { name: "The shop", source: "store", signature: { scheme: "github" } },
  ]);

  await triggerPanel(page).getByRole("button", { name: "Rotate secret" }).click();
  await confirm(page, "Rotate");
  await expect.poll(() => triggerPanel(page).locator("[data-secret]").textContent()).not.toBe(secret);
  await triggerPanel(page).getByRole("switch", { name: "Active" }).click();
  await triggerNode(page, "webhook").getByText("Paused").waitFor();
  await triggerPanel(page).getByRole("button", { name: "Delete webhook" }).click();
  await page.getByRole("dialog").getByText("its deliveries are deleted").waitFor();
  await confirm(page, "Delete");
  await triggerNode(page, "manual").waitFor();
  expect((await user.get("/api/webhooks")).body.webhooks).toEqual([]);
});

test("the webhook form asks for what the chosen signature needs", async () => {
  const user = await visit.register("signer");
  const id = await createGreeting(user);
  const page = await visit.open(`/workflows/${id}`, { user });
  await addTrigger(page, "Webhook");
  const form = triggerPanel(page);
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

test("a test event runs the workflow with the request, and fields are learned from it", async () => {
  const user = await visit.register("listener");
  const id = await createGreeting(user);
  const { webhook } = (await user.post("/api/webhooks", { name: "Shop", source: "listen", workflowId: id }))
    .body;
  const page = await visit.open(`/workflows/${id}`, { user });
  await triggerNode(page, "webhook").click();
  await triggerPanel(page).getByRole("button", { name: "Listen for a test event" }).click();
  await triggerPanel(page).getByText("Listening for a test event").waitFor();
  await checkScreen(page, "trigger-listening");
  await visit.app.anonymous.post(
    "/webhook/listen",
    { name: "Grace", total: 12.5, email: "grace@example.com" },
    { "x-webhook-secret": webhook.secret },
  );
  await triggerPanel(page).getByRole("button", { name: "Listen for a test event" }).waitFor();
  const received = triggerPanel(page).getByRole("status").filter({ hasText: "Test event received." });
  await received.getByText('"grace@example.com"').waitFor();
  const triggers = async () =>
    (await user.get(`/api/tasks?workflowId=${id}`)).body.tasks.map(
      (task: { trigger: string }) => task.trigger,
    );
  await expect.poll(triggers).toEqual(["manual", "webhook"]);

  await triggerPanel(page).getByRole("button", { name: "Learn from last delivery" }).click();
  await triggerPanel(page).getByRole("button", { name: "total", exact: true }).waitFor();
  await triggerPanel(page).getByText("email", { exact: true }).last().waitFor();
  // One way to run with the last delivery, in the section that also pins it.
  const test = triggerPanel(page).getByRole("region", { name: "Test" });
  expect(await test.locator("button.btn:not(.tiny)").allInnerTexts()).toEqual([
    "Listen for a test event",
    "Show last delivery",
  ]);
  await test.getByRole("button", { name: "Show last delivery" }).click();
  await test.getByRole("button", { name: "Run draft with this input" }).click();
  await expect.poll(async () => (await triggers()).length).toBe(3);
});
