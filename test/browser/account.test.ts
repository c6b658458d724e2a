import { expect, test } from "vitest";
import { seriousFindings, useVisits } from "./support/visit.ts";

const visit = useVisits();

test("an account is deleted only with its password, and the page then asks for a login", async () => {
  const user = await visit.register("leaver");
  const page = await visit.open("/workflows", { user });
  await page.getByRole("link", { name: "Settings" }).click();
  await page.getByRole("main").getByText(user.email).waitFor();
  await page.getByRole("button", { name: "Delete account" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Password", { exact: true }).fill("not the password");
  await dialog.getByRole("button", { name: "Delete" }).click();
  await dialog.getByText("The current password is wrong.").waitFor();
  expect((await user.get("/api/auth/me")).status).toBe(200);
  await dialog.getByLabel("Password", { exact: true }).fill(user.password);
  await dialog.getByRole("button", { name: "Delete" }).click();
  await page.getByLabel("Email").waitFor();
  expect((await user.get("/api/auth/me")).body.error).toBe("invalid_token");
});

test("a password is changed, and only with the current one", async () => {
  const user = await visit.register("changer");
  const page = await visit.open("/settings/security", { user });
  await page.getByLabel("Current password").fill("not the password");
  await page.getByLabel("New password").fill("a much better passphrase");
  await page.getByRole("button", { name: "Change password" }).click();
  await page.getByText("The current password is wrong.").waitFor();
  await page.getByLabel("Current password").fill(user.password);
  await page.getByRole("button", { name: "Change password" }).click();
  await page.getByText("Password changed.").waitFor();
});

test("the account has a default error workflow, which a workflow without its own names", async () => {
  const user = await visit.register("alarmed");
  const create = async (name: string) =>
    (await user.post("/api/workflows", { name })).body.workflow.id as string;
  const alarm = await create("Alarm");
  const orders = await create("Orders");
  const page = await visit.open("/settings", { user });
  const form = page.getByRole("form", { name: "Error workflow" });
  await form.getByLabel("Error workflow").selectOption("Alarm");
  await form.getByRole("button", { name: "Save" }).click();
  await page.getByText("Error workflow saved.").waitFor();
  expect((await user.get("/api/account/error-workflow")).body.errorWorkflowId).toBe(alarm);
  expect(await seriousFindings(page)).toEqual([]);

  await page.goto(`${visit.base}/workflows/${orders}`);
  await page.getByRole("button", { name: "Workflow menu" }).click();
  await page.getByRole("menuitem", { name: "Run settings" }).click();
  await page
    .getByRole("dialog")
    .getByRole("option", { name: "That of the account" })
    .waitFor({ state: "attached" });

  await page.goto(`${visit.base}/settings`);
  await form.getByLabel("Error workflow").selectOption("None");
  await form.getByRole("button", { name: "Save" }).click();
  await page.getByText("Error workflow saved.").waitFor();
  expect((await user.get("/api/account/error-workflow")).body.errorWorkflowId).toBeNull();
});

test("a new variable does not replace one with the same name", async () => {
  const user = await visit.register("namer");
  await user.put("/api/variables/shop", { value: "first" });
  const page = await visit.open("/variables", { user });
  await page.getByText("first").waitFor();
  await page.getByLabel("Name").fill("shop");
  await page.getByLabel("Value").fill("second");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("You already have a variable or secret named shop.").waitFor();
  expect((await user.get("/api/variables")).body.variables[0].value).toBe("first");
});
