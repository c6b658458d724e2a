import { expect, test } from "vitest";
import { checkScreen, confirm, findingsInOtherTheme, useVisits } from "./support/visit.ts";

const visit = useVisits();

test("an administrator invites, disables, enables and deletes people", async () => {
  const ada = await visit.register("ada");
  const ben = await visit.register("ben");
  await ben.post("/api/workflows", { name: "Report" });
  const page = await visit.open("/", { user: ada });
  await page.getByRole("link", { name: "Administration" }).click();
  const users = page.getByRole("region", { name: "Users" });
  const row = users.getByRole("row", { name: /ben/ });
  await row.waitFor();

  await page.getByRole("form", { name: "Invite" }).getByLabel("Email address").fill("lena@example.com");
  await page.getByRole("button", { name: "Invite", exact: true }).click();
  const link = (await page.locator("[data-secret]").textContent())!;
  await page.getByRole("button", { name: "Done" }).click();
  await page.getByRole("region", { name: "Invitations" }).getByText("lena@example.com").waitFor();
  await checkScreen(page, "administration-users");
  expect(await findingsInOtherTheme(page)).toEqual([]);

  const other = await visit.newPage();
  await other.goto(visit.base + new URL(link).pathname + new URL(link).hash);
  await other.getByText("You are invited to Baton.").waitFor();
  expect(await other.getByLabel("Email").inputValue()).toBe("lena@example.com");
  await checkScreen(other, "register");
  await other.getByLabel("Password", { exact: true }).fill("a quite good one");
  await other.getByRole("button", { name: "Create account" }).click();
  await other.getByRole("link", { name: "Workflows", exact: true }).waitFor();
  // Only administrators see it.
  expect(await other.getByRole("link", { name: "Administration" }).count()).toBe(0);
  await other.goto(`${visit.base}/administration`);
  await other.getByText("For administrators").waitFor();
  await other.goto(visit.base + new URL(link).pathname + new URL(link).hash);
  await other.getByText("You have an account").waitFor();

  await row.getByRole("button", { name: "Disable" }).click();
  await confirm(page, "Disable");
  // Exact: the buttons "Disable" and "Delete" contain "disableD" too.
  await row.getByText("Disabled", { exact: true }).last().waitFor();
  expect((await ben.get("/api/auth/me")).status).toBe(401);
  await row.getByRole("button", { name: "Enable" }).click();
  await row.getByText("Active").last().waitFor();

  await users.getByLabel("Search").fill("ben");
  await expect.poll(() => users.getByRole("row").count()).toBe(2);
  await row.getByRole("button", { name: "Make administrator" }).click();
  await confirm(page, "Make administrator");
  await row.getByText("Administrator", { exact: true }).last().waitFor();

  await row.getByRole("button", { name: "Delete ben" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByText("Personal workspace: 1 workflows").waitFor();
  expect(await dialog.getByRole("button", { name: "Delete user" }).isDisabled()).toBe(true);
  await dialog.getByLabel("Records of the personal workspace").selectOption(ada.user.id);
  await dialog.getByText("Personal: transferred").waitFor();
  await checkScreen(page, "administration-delete");
  await dialog.getByRole("button", { name: "Transfer and delete user" }).click();
  await users.getByText("No users found").waitFor();
  const { workspaces } = (await ada.get("/api/auth/me")).body;
  expect(workspaces.map(({ id }: { id: string }) => id)).toContain(ben.user.id);
});

test("an administrator sets limits, stops runs and sees the storage", async () => {
  const mia = await visit.register("noa");
  await visit.app.sql(`update account set is_administrator = 1 where id = '${mia.user.id}'`);
  const steps = [{ stepId: "ask", type: "approval", message: "Go on?" }];
  const { workflow } = (await mia.post("/api/workflows", { name: "Payroll", metadata: { steps, edges: [] } }))
    .body;
  const { taskId } = (await mia.post(`/api/workflows/${workflow.id}/run?wait=true`, {})).body;
  const page = await visit.open("/administration/workspaces", { user: mia });
  await page.getByLabel("Search").fill("noa");
  await page.getByRole("button", { name: `Limits of ${mia.email}` }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Keep ended runs for days").fill("7");
  await dialog.getByLabel("Values that the store keeps for one owner", { exact: true }).fill("5");
  await checkScreen(page, "administration-limits");
  await dialog.getByRole("button", { name: "Save" }).click();
  await dialog.waitFor({ state: "detached" });
  const { rules } = (await mia.get(`/api/admin/workspaces/${mia.user.id}/rules`)).body;
  expect(rules).toEqual({ limits: [{ name: "store_values", value: 5 }], retentionDays: 7 });
  await checkScreen(page, "administration-workspaces");

  await page.getByRole("link", { name: "Running" }).click();
  await page.getByText("Nothing here now").waitFor();
  await page.getByText("Approval", { exact: true }).click();
  const row = page.getByRole("row", { name: /Payroll/ });
  await row.waitFor();
  await checkScreen(page, "administration-running");
  expect(await findingsInOtherTheme(page)).toEqual([]);
  await row.getByRole("button", { name: "Stop", exact: true }).click();
  await confirm(page, "Stop run");
  await row.waitFor({ state: "detached" });
  expect((await mia.get(`/api/tasks/${taskId}`)).body.task.status).toBe("cancelled");

  const { team } = (await mia.post("/api/agent-teams", { name: "Desk", externalAgents: [{ name: "scout" }] }))
    .body;
  const { sessionId } = (await mia.post(`/api/agent-teams/${team.id}/run`, { objective: "Look" })).body;
  await page.getByText("Team sessions", { exact: true }).click();
  await page.getByText("Waiting", { exact: true }).click();
  const session = page.getByRole("row", { name: /Desk/ });
  await session.waitFor();
  await checkScreen(page, "administration-sessions");
  await session.getByRole("button", { name: "Stop", exact: true }).click();
  await confirm(page, "Stop session");
  await session.waitFor({ state: "detached" });
  expect((await mia.get(`/api/agent-teams/sessions/${sessionId}`)).body.session.status).toBe("cancelled");

  await page.getByRole("link", { name: "Storage" }).click();
  await page.getByText("estimated from 50 of every 1,000 runs").waitFor();
  await page.getByRole("row", { name: new RegExp(mia.email) }).waitFor();
  await checkScreen(page, "administration-storage");
  expect(await findingsInOtherTheme(page)).toEqual([]);
});

test("on a phone and in the dark, the tabs fit", async () => {
  const user = await visit.register("phone");
  await visit.app.sql(`update account set is_administrator = 1 where id = '${user.user.id}'`);
  const page = await visit.open("/administration", { user, width: 390, theme: "dark" });
  for (const [tab, ready] of [
    ["", "h2:text('Users')"],
    ["/workspaces", "table"],
    ["/running", "text=Nothing here now"],
    ["/storage", "table"],
  ]) {
    await page.goto(`${visit.base}/administration${tab}`);
    await page.locator(ready!).first().waitFor();
    if (tab === "") {
      const email = page.getByRole("table").getByText(user.user.email, { exact: true });
      // One line of text: the address is not broken.
      expect((await email.boundingBox())!.height).toBeLessThan(30);
      await email.locator("xpath=ancestor::td").getByText("Active").waitFor();
    }
    const overflow = await page.evaluate<number>("document.documentElement.scrollWidth - innerWidth");
    await checkScreen(page, `administration-phone${tab!.replace("/", "-")}`);
    expect([tab, overflow]).toEqual([tab, Math.min(0, overflow)]);
  }
});
