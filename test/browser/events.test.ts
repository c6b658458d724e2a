import { afterAll, expect, test } from "vitest";
import { openReceiver } from "../support/webhook-receiver.ts";
import { findingsInOtherTheme, seriousFindings, useVisits } from "./support/visit.ts";

const visit = useVisits();
const receiver = await openReceiver();
afterAll(() => receiver.close());

test("an address is subscribed, its secret is shown once, and deliveries are listed and sent again", async () => {
  const user = await visit.register("events");
  const page = await visit.open("/settings/events", { user });
  await page.getByLabel("Send events to").fill(receiver.url);
  await page.getByLabel("Run started").check();
  await page.getByRole("button", { name: "Subscribe", exact: true }).click();
  const dialog = page.getByRole("dialog");
  expect(await dialog.locator("[data-secret]").textContent()).toMatch(/^whsec_/);
  await dialog.getByRole("button", { name: "Done" }).click();
  await page.getByText("Run failed, Approval requested, Run started").waitFor();

  await page.getByRole("button", { name: `Deliveries to ${receiver.url}` }).click();
  await dialog.getByText("Nothing sent yet").waitFor();
  await dialog.getByRole("button", { name: "Send test event" }).click();
  await dialog.getByText("Delivered", { exact: true }).waitFor();
  expect([...(await seriousFindings(page)), ...(await findingsInOtherTheme(page))]).toEqual([]);
  await dialog.getByRole("button", { name: "Resend Test event" }).click();
  await expect.poll(() => receiver.received.length).toBe(2);
  expect(receiver.received[0]?.headers["webhook-id"]).toBe(receiver.received[1]?.headers["webhook-id"]);
  await page.keyboard.press("Escape");

  await page.getByRole("switch", { name: `Send events to ${receiver.url}` }).click();
  await expect
    .poll(async () => (await user.get("/api/event-subscriptions")).body.subscriptions[0].active)
    .toBe(false);
});

test("an external agent gets a credential in the form of its team, and a secret of its own", async () => {
  const user = await visit.register("externals");
  await user.put("/api/variables/scout_key", { value: "hush-hush-hush", secret: true });
  await user.put("/api/variables/region", { value: "eu" });
  const created = await user.post("/api/agent-teams", { name: "Crew", externalAgents: [{ name: "scout" }] });
  const path = `/teams/${created.body.team.id}`;
  const page = await visit.open(path, { user });
  await page.getByRole("button", { name: "Edit" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("URL").fill(receiver.url);
  const credential = dialog.getByLabel("Secret variable");
  expect(await credential.locator("option").allTextContents()).toEqual(["None", "scout_key"]);
  await credential.selectOption("scout_key");
  await dialog.getByLabel("Header of the credential").fill("x-api-key");
  await dialog.getByRole("button", { name: "Check address" }).click();
  await dialog.getByText(/No agent card/).waitFor();
  expect([...(await seriousFindings(page)), ...(await findingsInOtherTheme(page))]).toEqual([]);
  await dialog.getByRole("button", { name: "Save" }).click();
  await dialog.waitFor({ state: "detached" });
  const { team } = (await user.get(`/api/agent-teams/${created.body.team.id}`)).body;
  expect(team.externalAgents[0]).toEqual({
    name: "scout",
    capabilities: [],
    url: receiver.url,
    credential: { secret: "scout_key", header: "x-api-key" },
  });
  await page.getByRole("button", { name: "Create secret for scout" }).click();
  await dialog.getByRole("button", { name: "Create secret" }).click();
  expect((await dialog.locator("[data-secret]").textContent())?.length).toBeGreaterThan(30);
});
