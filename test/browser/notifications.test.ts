import { expect, test } from "vitest";
import { reach, save, start } from "../../server/engine/testing/workbench.ts";
import type { RegisteredUser } from "../support/test-app.ts";
import { createTeamWorkspace, inWorkspace } from "../support/workspaces.ts";
import {
  checkScreen,
  findingsInOtherTheme,
  seriousFindings,
  takeScreenshot,
  useVisits,
} from "./support/visit.ts";

const visit = useVisits({
  STORE_VALUES_PER_OWNER: "1",
  SMTP_URL: "smtp://127.0.0.1:1",
  SMTP_FROM: "baton@example.com",
});

const failing = {
  stepId: "charge",
  name: "Charge the card",
  type: "http",
  method: "GET",
  url: "http://127.0.0.1:1/",
};

async function fail(user: RegisteredUser, workflowId: string): Promise<string> {
  const taskId = await start(user, workflowId);
  await reach(user, taskId, "failed");
  return taskId;
}

/** A failed run, an approval and a limit. */
async function seed(user: RegisteredUser) {
  const orders = await save(user, [failing], [], { name: "Nightly orders of the northern branch" });
  const failed = await fail(user, orders);
  const ask = { stepId: "ask", type: "approval", message: "Publish the newsletter to 4,200 readers?" };
  const asking = await start(user, await save(user, [ask], [], { name: "Newsletter" }));
  for (const key of ["a", "b"]) await user.put(`/api/store/workspace/${key}`, { value: 1 });
  await expect.poll(async () => (await user.get("/api/notifications")).body.unread).toBe(3);
  return { orders, failed, asking };
}

test("the bell shows what is new, lists it, leads to it and forgets what was read", async () => {
  const user = await visit.register("mia");
  const { orders, asking } = await seed(user);
  const page = await visit.open("/", { user });
  const bell = page.getByRole("button", { name: "Notifications" });
  await page.getByRole("status").getByText("3 unread notifications").waitFor();
  await bell.getByText("3").waitFor();

  // Told by the socket: the list is not polled within the time that a test waits.
  await page.waitForResponse((response) => response.url().includes("/socket.io/"));
  await fail(user, orders);
  const other = await save(user, [failing], [], { name: "Invoices" });
  await fail(user, other);
  await page.getByRole("status").getByText("4 unread notifications").waitFor();

  await bell.click();
  const panel = page.getByRole("dialog", { name: "Notifications" });
  await panel.getByText("2 times").waitFor();
  for (const text of ["Invoices", "Publish the newsletter to 4,200 readers?", "STORE_VALUES_PER_OWNER"])
    await panel.getByText(text).waitFor();
  await panel.getByText("Run failed in Charge the card").first().waitFor();
  expect(await panel.getByLabel("Unread").count()).toBe(4);
  await takeScreenshot(page, "notifications");
  expect(await seriousFindings(page)).toEqual([]);
  expect(await findingsInOtherTheme(page)).toEqual([]);

  await panel.getByRole("link", { name: /Publish the newsletter/ }).click();
  await page.waitForURL(`**/runs/${asking}`);
  expect(await panel.isVisible()).toBe(false);
  await page.getByRole("status").getByText("3 unread notifications").waitFor();

  await bell.click();
  await panel.getByRole("button", { name: "Mark all as read" }).click();
  await expect.poll(() => panel.getByLabel("Unread").count()).toBe(0);
  await expect.poll(() => bell.locator("b").count()).toBe(0);
  await panel.getByRole("link", { name: "Show all notifications" }).click();
  await page.getByRole("heading", { name: "Notifications", level: 1 }).waitFor();
  await page.locator(".notification").first().waitFor();
  await checkScreen(page, "notification-screen");
  await page.getByText("Unread", { exact: true }).click();
  await page.getByText("Nothing unread").waitFor();

  await page.getByText("All", { exact: true }).click();
  await page.getByRole("link", { name: /STORE_VALUES_PER_OWNER/ }).click();
  await page.getByRole("row", { name: /STORE_VALUES_PER_OWNER/ }).waitFor();
  await checkScreen(page, "limits");
  expect(await findingsInOtherTheme(page)).toEqual([]);
});

test("on a phone the panel opens from the menu, and without notifications it says what appears there", async () => {
  const user = await visit.register("lena");
  const page = await visit.open("/", { user, width: 390, theme: "dark" });
  const open = async (): Promise<void> => {
    await page.getByRole("button", { name: "Menu" }).click();
    await page.getByRole("button", { name: "Notifications" }).click();
  };
  await open();
  await page.getByRole("dialog", { name: "Notifications" }).getByText("No notifications").waitFor();
  await takeScreenshot(page, "notifications-empty-390-dark");
  await seed(user);
  await page.reload();
  await open();
  // The home screen behind the panel has the same text once it has loaded.
  await page.getByRole("dialog", { name: "Notifications" }).getByText("Publish the newsletter").waitFor();
  await takeScreenshot(page, "notifications-390-dark");
  expect(await seriousFindings(page)).toEqual([]);
});

test("a person chooses what to receive, and how", async () => {
  const user = await visit.register("noor");
  const viewer = await visit.register("vera");
  await visit.app.sql(`update account set email_confirmed_at = 1 where id = '${user.user.id}'`);
  const page = await visit.open("/settings/notifications", { user });
  const approvals = page.getByRole("switch", { name: "Approvals by mail" });
  await approvals.click();
  await expect.poll(() => approvals.isChecked()).toBe(false);
  await page.getByRole("switch", { name: "Limits on the page" }).click();
  await page.getByText("Every hour").click();
  await expect
    .poll(async () => (await user.get("/api/notification-settings")).body.settings)
    .toMatchObject({
      mailFrequency: "hourly",
      kinds: [
        { kind: "run_failed", page: true, mail: true },
        { kind: "approval_requested", page: true, mail: false },
        { kind: "approval_blocked", page: true, mail: true },
        { kind: "connection_problem", page: true, mail: true },
        { kind: "limit_reached", page: false, mail: true },
      ],
    });
  await page.reload();
  await expect.poll(() => approvals.isChecked()).toBe(false);
  expect(await page.getByRole("radio", { name: "Every hour" }).isChecked()).toBe(true);
  await checkScreen(page, "notification-settings");
  expect(await findingsInOtherTheme(page)).toEqual([]);

  const id = await createTeamWorkspace(user, [[viewer, "viewer"]]);
  expect((await inWorkspace(viewer, id).get("/api/notification-settings")).body.receives).toEqual([]);
  const theirs = await visit.open("/settings/notifications", { user: viewer });
  await theirs.evaluate(`localStorage.setItem("baton.workspace", "${id}")`);
  await theirs.reload();
  await theirs.getByText("Nothing to be notified of").waitFor();
  expect(await seriousFindings(theirs)).toEqual([]);
});
