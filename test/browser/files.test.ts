import { expect, test } from "vitest";
import { confirm, checkScreen, useVisits } from "./support/visit.ts";

const visit = useVisits();

test("files that steps wrote are opened, downloaded and deleted", async () => {
  const user = await visit.register("filer");
  const { body } = await user.post("/api/workflows", {
    name: "Report",
    metadata: {
      steps: [
        { stepId: "write", type: "file", action: "write", path: "reports/may.json", content: { total: 12 } },
      ],
      edges: [],
    },
  });
  await user.post(`/api/workflows/${body.workflow.id}/run?wait=true`, {});
  const page = await visit.open("/files", { user });
  await page.getByRole("link", { name: "reports" }).click();
  await page.getByRole("button", { name: "may.json", exact: true }).click();
  await page.getByRole("dialog").getByText("total:").waitFor();
  const downloading = page.waitForEvent("download");
  await page.getByRole("dialog").getByRole("button", { name: "Download" }).click();
  expect((await downloading).suggestedFilename()).toBe("may.json");
  await page.keyboard.press("Escape");
  await checkScreen(page, "files");
  await page.getByRole("link", { name: "Files", exact: true }).first().click();
  await page.getByRole("button", { name: "Delete reports" }).click();
  await confirm(page, "Delete");
  await page.getByText("No files yet").waitFor();
});

test("Escape never discards a filled form, and a password can be shown", async () => {
  const user = await visit.register("careful");
  const page = await visit.open("/settings/security", { user });
  await page.getByLabel("Current password").fill("a password");
  await page.getByRole("button", { name: "Show password" }).first().click();
  expect(await page.getByLabel("Current password").getAttribute("type")).toBe("text");
  await page.getByRole("link", { name: "Account", exact: true }).click();
  await page.getByRole("button", { name: "Delete account" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Password", { exact: true }).fill("typed");
  await page.keyboard.press("Escape");
  await dialog.getByRole("button", { name: "Keep editing" }).click();
  expect(await dialog.getByLabel("Password", { exact: true }).inputValue()).toBe("typed");
  await page.keyboard.press("Escape");
  await dialog.getByRole("button", { name: "Discard" }).click();
  await dialog.waitFor({ state: "detached" });
});
