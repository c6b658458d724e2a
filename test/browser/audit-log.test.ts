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
  await page.getByLabel("Action").fill("putVariable");
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
