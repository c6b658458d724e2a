import { expect, test } from "vitest";
import { checkScreen, findingsInOtherTheme, useVisits } from "./support/visit.ts";

const visit = useVisits();

test("the audit log is filtered, shows what an action changed, is verified and exported", async () => {
  const user = await visit.register("auditor");
  await user.put("/api/variables/region", { value: "eu" });
  await user.put("/api/variables/region", { value: "us" });
  await user.delete("/api/variables/region");
  const page = await visit.open("/settings/audit-log", { user });
  await page.getByText("Verified: 6 events, unbroken.").waitFor();
  await page.getByRole("row", { name: "Delete variable" }).waitFor();
  await checkScreen(page, "audit-log");
  await page.getByLabel("Actor").fill("auditor");
  await page.getByLabel("Target").fill("region");
  await page.locator('datalist option[value="Put variable"]').waitFor({ state: "attached" });
  await page.getByLabel("Action").fill("Put variable");
  await page.getByRole("row", { name: "Delete variable" }).waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Put variable" }).first().click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("row", { name: "value eu us" }).waitFor();
  await checkScreen(page, "audit-event");
  expect(await findingsInOtherTheme(page)).toEqual([]);
  await page.keyboard.press("Escape");
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "Export CSV" }).click();
  expect((await download).suggestedFilename()).toBe("audit-log.csv");
});

test("administrators see the log of the instance in the administration, and nobody else does", async () => {
  // The first account is the administrator, also when another test has registered it.
  const administrator = await visit.register("instance-auditor");
  await visit.app.sql(`update account set is_administrator = 1 where id = '${administrator.user.id}'`);
  const { email } = administrator;
  await visit.app.anonymous.post("/api/auth/login", { email, password: "not the password" });
  const page = await visit.open("/administration", { user: administrator });
  await page.getByRole("link", { name: "Audit log" }).click();
  await page.getByText(/Verified: [\d,]+ events, unbroken\./).waitFor();
  const failed = page.getByRole("row", { name: "Failed: invalid_credentials" }).first();
  await failed.getByText("Not logged in").waitFor();
  await failed.getByText(email).waitFor();
  await checkScreen(page, "instance-audit-log");
  expect(await findingsInOtherTheme(page)).toEqual([]);
  await page.getByLabel("Action").fill("register");
  await failed.waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Register" }).first().click();
  await page.getByRole("dialog").getByRole("row", { name: "email" }).waitFor();
  await page.keyboard.press("Escape");
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "Export NDJSON" }).click();
  expect((await download).suggestedFilename()).toBe("audit-log.ndjson");

  const narrow = await visit.open("/administration/audit-log", {
    user: administrator,
    width: 390,
    theme: "dark",
  });
  await narrow.getByText(/Verified: [\d,]+ events, unbroken\./).waitFor();
  await narrow.getByRole("button", { name: "Register" }).first().waitFor();
  await checkScreen(narrow, "instance-audit-log-390-dark");
  // Neither the tab of the screen nor the last column is beyond the edge.
  const { x, width } = (await narrow.getByRole("link", { name: "Audit log" }).boundingBox())!;
  expect(x + width).toBeLessThanOrEqual(390);
  expect(await narrow.locator(".scroll-x").evaluate((list: any) => list.scrollWidth - list.clientWidth)).toBe(
    0,
  );

  const other = await visit.register("nobody");
  const refused = await visit.open("/administration/audit-log", { user: other });
  await refused.getByText("For administrators").waitFor();
});
