import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { checkScreen, confirm, findingsInOtherTheme, takeScreenshot, useVisits } from "./support/visit.ts";

const visit = useVisits();

/** Reads the key that is shown once, and closes its dialog. */
async function readKey(page: Page): Promise<string> {
  const key = (await page.locator("[data-secret]").textContent()) ?? "";
  await page.getByRole("button", { name: "Done" }).click();
  expect(await page.content()).not.toContain(key);
  return key;
}

const bearer = (key: string) => ({ authorization: `Bearer ${key}` });

test("API keys are created with limits, shown once, listed with their last use, and revoked", async () => {
  const user = await visit.register("keyholder");
  for (const name of ["Guarded", "Other"])
    await user.post("/api/workflows", {
      name,
      apiSettings: { enabled: true, endpointName: name.toLowerCase() },
    });
  const page = await visit.open("/settings/api-keys", { user });
  await page.getByText("No API keys yet").waitFor();
  await page.getByRole("button", { name: "New API key" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill("Shop");
  await dialog.getByLabel("Guarded").check();
  await dialog.getByLabel("Allowed addresses").fill("127.0.0.1, 203.0.113.0/33");
  await dialog.getByRole("button", { name: "Create key" }).click();
  await dialog.getByRole("alert").getByText("CIDR range").waitFor();
  await dialog.getByLabel("Allowed addresses").fill("127.0.0.1, 203.0.113.0/24");
  await checkScreen(page, "new-api-key");
  expect(await findingsInOtherTheme(page)).toEqual([]);
  await dialog.getByRole("button", { name: "Create key" }).click();
  const key = await readKey(page);

  const call = (name: string) => visit.app.anonymous.post(`/api/workflows/public/${name}`, {}, bearer(key));
  expect((await call("guarded")).status).toBe(200);
  expect((await call("other")).body).toMatchObject({ error: "insufficient_scope" });
  await page.reload();
  const row = page.getByRole("row", { name: "Shop" });
  for (const text of [
    "Endpoints",
    "Only Guarded",
    "Only from 127.0.0.1, 203.0.113.0/24",
    "from 127.0.0.1",
    "just now",
  ])
    await row.getByText(text, { exact: true }).waitFor();
  const [stored] = (await user.get("/api/keys")).body.keys;
  const days = (Date.parse(stored.expiresAt) - Date.now()) / 86_400_000;
  expect(Math.round(days)).toBe(90);

  await row.getByRole("button", { name: "Revoke" }).click();
  await confirm(page, "Revoke key");
  await row.getByText("Revoked", { exact: true }).waitFor();
  expect((await call("guarded")).body).toMatchObject({ error: "invalid_api_key" });
});

test("presets choose the scopes, and custom ones can be combined", async () => {
  const user = await visit.register("presets");
  const page = await visit.open("/settings/api-keys", { user });
  const dialog = page.getByRole("dialog");
  for (const [preset, scopes] of [
    ["Run workflows", ["endpoints"]],
    ["Deploy from CI", ["workflows:write", "runs:write"]],
    ["Read runs", ["runs:read"]],
    ["Documents", ["documents:write"]],
    ["MCP", ["mcp"]],
  ] as const) {
    await page.getByRole("button", { name: "New API key" }).click();
    await dialog.getByRole("radio", { name: new RegExp(`^${preset}`) }).check();
    expect(await dialog.getByRole("group", { name: "Workflows" }).count()).toBe(
      preset === "Run workflows" ? 1 : 0,
    );
    await dialog.getByRole("button", { name: "Create key" }).click();
    await readKey(page);
    expect((await user.get("/api/keys?limit=1")).body.keys[0].scopes).toEqual(scopes);
  }
  await page.getByRole("button", { name: "New API key" }).click();
  await dialog.getByRole("radio", { name: "Read runs" }).check();
  await dialog.getByRole("radio", { name: "Custom" }).check();
  await dialog.getByRole("checkbox", { name: /^Chat/ }).check();
  await dialog.getByLabel("Expires").selectOption("On a date");
  expect(await dialog.getByRole("button", { name: "Create key" }).isDisabled()).toBe(true);
  await dialog.getByLabel("Last day").fill("2999-12-31");
  await dialog.getByRole("button", { name: "Create key" }).click();
  await readKey(page);
  expect((await user.get("/api/keys?limit=1")).body.keys[0]).toMatchObject({
    scopes: ["chat", "runs:read"],
    expiresAt: expect.stringMatching(/^(2999-12-31|3000-01-01)/),
  });
});

test("a service account gets a role and keys, and its keys end with it", async () => {
  const user = await visit.register("operations");
  const page = await visit.open("/settings/api-keys", { user });
  await page.getByRole("button", { name: "New service account" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill("Deployments");
  expect(await dialog.getByRole("option", { name: /^Owner/ }).count()).toBe(0);
  await dialog
    .getByLabel("Role")
    .selectOption({ label: "Viewer: Read workflows and runs; secrets stay hidden" });
  await dialog.getByRole("button", { name: "Create service account" }).click();
  const accounts = page.getByRole("region", { name: "Service accounts" });
  await accounts.getByRole("button", { name: "New key for Deployments" }).click();
  await dialog.getByLabel("Name").fill("CI");
  await dialog.getByRole("radio", { name: "Deploy from CI" }).check();
  await dialog.getByRole("button", { name: "Create key" }).click();
  const key = await readKey(page);
  await page
    .getByRole("region", { name: "API keys" })
    .getByRole("row", { name: /CI.*Deployments/ })
    .waitFor();
  const create = () =>
    visit.app.anonymous.post("/api/workflows", { name: "A", metadata: { steps: [] } }, bearer(key));
  expect((await create()).body).toMatchObject({ details: { role: "viewer", requiredRole: "builder" } });

  await accounts.getByRole("button", { name: "Edit Deployments" }).click();
  await dialog.getByLabel("Role").selectOption("builder");
  await dialog.getByRole("button", { name: "Save" }).click();
  await accounts.getByRole("cell", { name: "Builder" }).waitFor();
  expect((await create()).status).toBe(201);
  await checkScreen(page, "api-keys");
  expect(await findingsInOtherTheme(page)).toEqual([]);
  await page.setViewportSize({ width: 390, height: 844 });
  await checkScreen(page, "api-keys-390");
  await page.getByRole("button", { name: "New API key" }).click();
  await takeScreenshot(page, "new-api-key-390");
  await dialog.getByRole("button", { name: "Close" }).click();

  await accounts.getByRole("button", { name: "Delete Deployments" }).click();
  await confirm(page, "Delete");
  await accounts.getByText("No service accounts yet").waitFor();
  expect((await create()).status).toBe(401);
});
