import { expect, test } from "vitest";
import type { RegisteredUser } from "../support/test-app.ts";
import { checkScreen, confirm, useVisits } from "./support/visit.ts";

const visit = useVisits();

async function createGreeting(user: RegisteredUser): Promise<string> {
  const metadata = {
    steps: [{ stepId: "greet", type: "transform", template: "Hello {{input.name}}" }],
    edges: [],
  };
  return (await user.post("/api/workflows", { name: "Greeting", metadata })).body.workflow.id as string;
}

test("an endpoint is enabled, given a slug and a key, and called from the page", async () => {
  const user = await visit.register("publisher");
  const id = await createGreeting(user);
  const page = await visit.open("/settings/api-keys", { user });
  await page.getByLabel("Name of the new key").fill("Shop");
  await page.getByRole("button", { name: "Create key" }).click();
  const key = (await page.locator("[data-secret]").textContent()) ?? "";
  await page.getByRole("button", { name: "Done" }).click();
  await page.getByRole("cell", { name: "Shop" }).waitFor();
  expect(await page.content()).not.toContain(key);

  await page.goto(`${visit.base}/endpoints?workflow=${id}`);
  await page.getByRole("switch", { name: "Endpoint disabled" }).click();
  await page.getByLabel("Slug").fill("greet");
  await page.getByRole("button", { name: "Save slug" }).click();
  await page.getByText(`${visit.base}/api/workflows/public/greet`).first().waitFor();
  await page.getByRole("tab", { name: "Python" }).click();
  await page.getByText("requests.post").waitFor();
  await page.getByRole("textbox", { name: "API key" }).fill(key);
  await page.getByLabel("Input (JSON)").fill('{"name": "Ada"}');
  await page.getByRole("button", { name: "Send request" }).click();
  await page.getByText('"Hello Ada"').first().waitFor();
  await checkScreen(page, "endpoint");

  await page.goto(`${visit.base}/settings/api-keys`);
  await page.getByRole("button", { name: "Revoke" }).click();
  await confirm(page, "Revoke key");
  await page.getByText("revoked", { exact: true }).waitFor();
  const refused = await visit.app.anonymous.post(
    "/api/workflows/public/greet",
    { input: {} },
    { authorization: `Bearer ${key}` },
  );
  expect(refused.body).toMatchObject({ error: "invalid_api_key" });
});

test("a webhook is created, receives a call, shows the delivery and redelivers it", async () => {
  const user = await visit.register("receiver");
  await createGreeting(user);
  const page = await visit.open("/endpoints/webhooks", { user });
  await page.getByRole("button", { name: "New webhook" }).click();
  await page.getByLabel("Source").fill("shop");
  await page.getByLabel("Workflow", { exact: true }).selectOption({ label: "Greeting" });
  await page.getByRole("button", { name: "Create webhook" }).click();
  const secret = (await page.locator("[data-secret]").textContent()) ?? "";
  await page.getByRole("button", { name: "Done" }).click();
  const sent = await visit.app.anonymous.post(
    "/webhook/shop",
    { name: "Grace" },
    { "x-webhook-secret": secret },
  );
  expect(sent.status).toBe(200);

  await page.getByRole("link", { name: "shop" }).click();
  // The closed row shows a preview of the payload.
  await page.locator("summary", { hasText: "accepted" }).getByText('{"name":"Grace"}').click();
  await page.getByRole("group", { name: "Value" }).getByText('"Grace"').waitFor();
  await checkScreen(page, "webhook");
  await page.getByRole("button", { name: "Redeliver" }).click();
  await page.getByText("redelivered", { exact: true }).waitFor();
  expect(await page.content()).not.toContain(secret);

  await page.getByRole("button", { name: "Edit" }).click();
  await page.getByLabel("Name", { exact: true }).fill("The shop");
  await page.getByLabel("Signature").selectOption("github");
  await page.getByLabel("Signing secret of the sender").fill("shared words");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByRole("heading", { name: "The shop" }).waitFor();
  await page.getByText("or a github signature").waitFor();
  await page.getByRole("button", { name: "Edit" }).click();
  await page.getByLabel("Source").fill("store");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await page.getByText("/webhook/store").waitFor();
  const [webhook] = (await user.get("/api/webhooks")).body.webhooks;
  expect(webhook).toMatchObject({ name: "The shop", source: "store", signature: { scheme: "github" } });
  await page.getByRole("button", { name: "Rotate secret" }).click();
  await confirm(page, "Rotate");
  expect(await page.locator("[data-secret]").textContent()).not.toBe(secret);
  await page.keyboard.press("Escape");
  await page.getByRole("link", { name: "Open run" }).first().click();
  await page.locator(".top [data-status=completed]").waitFor();
});

test("a secret is never shown again; a variable can be read, edited and deleted", async () => {
  const page = await visit.open("/variables", { user: await visit.register("keeper") });
  await page.getByLabel("Name").fill("apiPassword");
  await page.getByRole("switch").check();
  await page.getByLabel("Value").fill("hunter-two");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("{{secrets.apiPassword}}").waitFor();
  await page.getByText("encrypted", { exact: true }).waitFor();
  expect(await page.content()).not.toContain("hunter-two");
  await page.getByRole("switch").uncheck();
  await page.getByLabel("Name").fill("shop");
  await page.getByLabel("Value").fill("https://shop.example");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("https://shop.example").waitFor();
  await page.getByRole("button", { name: "Edit shop" }).click();
  await page.getByLabel("Value").fill("https://new.example");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("https://new.example").waitFor();
  await page.getByRole("button", { name: "Delete shop" }).click();
  await confirm(page, "Delete");
  await page.getByText("https://new.example").waitFor({ state: "detached" });
});

test("a schedule is created from a preset, paused, edited and deleted", async () => {
  const user = await visit.register("planner");
  await createGreeting(user);
  const page = await visit.open("/endpoints/schedules", { user });
  await page.getByRole("button", { name: "New schedule" }).click();
  await page.getByLabel("Workflow", { exact: true }).selectOption({ label: "Greeting" });
  await page.getByLabel("Frequency").selectOption({ label: "Every weekday at 8:00" });
  await page.getByLabel("If the previous run is still running").selectOption({ label: "Skip the new run" });
  await page.getByRole("button", { name: "Create schedule" }).click();
  await page.getByText("Monday to Friday at 08:00").waitFor();
  await page.getByRole("switch").click();
  await page.getByText("Paused").waitFor();
  expect((await user.get("/api/schedules")).body.schedules).toMatchObject([
    { active: false, overlap: "skip" },
  ]);
  await page.getByRole("button", { name: "Edit the schedule of Greeting" }).click();
  await page.getByLabel("Frequency").selectOption({ label: "Every 15 minutes" });
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByRole("cell", { name: "every 15 minutes" }).waitFor();
  await page.getByRole("button", { name: "Delete the schedule of Greeting" }).click();
  await confirm(page, "Delete");
  await page.getByText("No schedules yet").waitFor();
});
