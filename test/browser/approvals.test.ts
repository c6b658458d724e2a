import { afterAll, expect, test } from "vitest";
import { startMailServer } from "../support/mail-server.ts";
import type { RegisteredUser } from "../support/test-app.ts";
import { checkScreen, confirm, seriousFindings, useVisits } from "./support/visit.ts";

const mail = await startMailServer();
afterAll(() => mail.close());
const visit = useVisits({ SMTP_URL: mail.url, SMTP_FROM: "Baton <baton@example.org>" });

const ask = {
  stepId: "ask",
  type: "approval",
  message: "Refund **€ 812** to Nordlicht GmbH?",
  context: { order: "SO-4471", reason: "Damaged in transit", lines: [{ item: "Lamp", price: 812 }] },
  timeoutMs: 7_200_000,
};

async function waitingTask(user: RegisteredUser, more: object = {}): Promise<string> {
  const steps = [{ ...ask, ...more }];
  const { workflow } = (await user.post("/api/workflows", { name: "Refund requests", metadata: { steps } }))
    .body;
  return (await user.post(`/api/workflows/${workflow.id}/run?wait=true`, {})).body.taskId as string;
}

const taskOf = async (user: RegisteredUser, taskId: string) =>
  (await user.get(`/api/tasks/${taskId}`)).body.task;

test("an approval shows its data and due time, and a rejection asks first and keeps the comment", async () => {
  const user = await visit.register("approver");
  const taskId = await waitingTask(user);
  const page = await visit.open("/approvals", { user });
  await page.getByText("Refund € 812 to Nordlicht GmbH?").waitFor();
  await page.getByText("SO-4471").waitFor();
  await page.getByText("Due in 2 hours").waitFor();
  await page.getByText(/^Rejects automatically on /).waitFor();
  expect(await seriousFindings(page)).toEqual([]);

  await page.getByLabel("Comment").fill("Ask for a picture first");
  await page.getByRole("button", { name: "Reject" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click();
  expect((await taskOf(user, taskId)).status).toBe("waiting_approval");
  await page.getByRole("button", { name: "Reject" }).click();
  await confirm(page, "Reject");
  await page.getByText("No open approvals").waitFor();
  expect((await taskOf(user, taskId)).stepResults[0].output).toMatchObject({
    decision: "reject",
    comment: "Ask for a picture first",
  });
});

test("an approval is decided once, also by a second click before the list is read again", async () => {
  const user = await visit.register("clicker");
  for (const path of ["/approvals", "/", "/runs/"]) {
    const isRun = path === "/runs/";
    const taskId = await waitingTask(user);
    const page = await visit.open(isRun ? path + taskId : path, { user });
    const approve = page.getByRole("button", { name: /^Approve(:|$)/ });
    await approve.waitFor();
    let proceed = (): void => undefined;
    const held = new Promise<void>((resolve) => (proceed = resolve));
    await page.route("**/api/approvals*", async (route) => {
      await held;
      await route.fallback();
    });
    await approve.click();
    await page.getByText("Approved. The run continues.").waitFor();
    // The run has the decision from its stream.
    if (isRun) await page.getByText("Approved by clicker").waitFor();
    else expect(await approve.isDisabled()).toBe(true);
    expect(await page.getByRole("button", { name: /^Reject/, disabled: false }).count()).toBe(0);
    if (!isRun) proceed();
    await approve.waitFor({ state: "detached" });
    proceed();
    await page.unrouteAll({ behavior: "wait" });
  }
});

test("a person without an account decides with the link of an email, once", async () => {
  const user = await visit.register("sender");
  const taskId = await waitingTask(user, { notifyEmail: "boss@example.com" });
  // New accounts get a mail, too.
  const toBoss = () => mail.received.filter(({ to }) => to.includes("boss@example.com"));
  await expect.poll(() => toBoss().length).toBe(1);
  const raw = toBoss()[0]!.raw.replaceAll("=\r\n", "");
  const path = /\/a\/[\w.-]+/.exec(raw)![0];

  const page = await visit.open(path);
  await page.getByText("Refund € 812 to Nordlicht GmbH?").waitFor();
  await page.getByText("Damaged in transit").waitFor();
  expect((await taskOf(user, taskId)).status).toBe("waiting_approval");
  await checkScreen(page, "approval-link");
  await page.setViewportSize({ width: 390, height: 844 });
  expect(await seriousFindings(page)).toEqual([]);
  for (const name of ["Approve", "Reject"])
    expect((await page.getByRole("button", { name }).boundingBox())!.height).toBeGreaterThanOrEqual(44);
  await page.getByLabel("Comment").fill("Go ahead");
  await page.getByRole("button", { name: "Approve" }).click();
  await page.getByRole("heading", { name: "Approved" }).waitFor();
  await expect.poll(async () => (await taskOf(user, taskId)).status).toBe("completed");
  expect((await taskOf(user, taskId)).stepResults[0].output).toMatchObject({
    comment: "Go ahead",
    decidedBy: "link",
  });

  await page.reload();
  await page.getByRole("heading", { name: "Nothing to decide" }).waitFor();
  expect(await page.content()).not.toContain("Nordlicht");
  expect(await seriousFindings(page)).toEqual([]);
});

test("the email of an approval is sent again as a reminder", async () => {
  const user = await visit.register("reminder");
  await waitingTask(user, { notifyEmail: "slow@example.com" });
  const sent = () => mail.received.filter(({ to }) => to.includes("slow@example.com")).length;
  await expect.poll(sent).toBe(1);
  const page = await visit.open("/approvals", { user });
  await page.getByText(/^The email with the link was sent /).waitFor();
  await checkScreen(page, "approval-email");
  await page.getByRole("button", { name: "Send a reminder" }).click();
  await expect.poll(sent).toBe(2);
});

test("the owner copies a link, and a wrong link says so", async () => {
  const user = await visit.register("sharer");
  await waitingTask(user);
  const page = await visit.open("/approvals", { user, theme: "dark" });
  await page.getByRole("button", { name: "Copy link" }).click();
  await page.getByText("Link copied.").waitFor();
  const url = await page.evaluate<string>("navigator.clipboard.readText()");
  expect(url).toMatch(new RegExp(`^${visit.base}/a/`));
  // Also in a browser that is signed in: nothing of the account is shown.
  await page.goto(url);
  await page.getByRole("button", { name: "Reject" }).click();
  await confirm(page, "Reject");
  await page.getByRole("heading", { name: "Rejected" }).waitFor();
  expect(await page.getByRole("navigation").count()).toBe(0);

  await page.goto(`${url}x`);
  await page.getByRole("heading", { name: "Unknown link" }).waitFor();
});

test("an approval is shown once in the editor, and on a phone above the workflows at Home", async () => {
  const user = await visit.register("commuter");
  const taskId = await waitingTask(user);
  const page = await visit.open("/", { user, width: 390 });
  const topOf = async (name: string) =>
    (await page.getByRole("heading", { name, exact: true, level: 2 }).boundingBox())!.y;
  await page.getByRole("heading", { name: "Workflows", level: 2 }).waitFor();
  const atHome = page.getByRole("button", { name: /^Approve/ });
  await atHome.waitFor();
  expect((await atHome.boundingBox())!.height).toBeGreaterThanOrEqual(44);
  expect(await topOf("Waiting for you")).toBeLessThan(await topOf("Workflows"));
  await page.getByText("other", { exact: true }).waitFor();

  const { workflowId } = await taskOf(user, taskId);
  await page.goto(`${visit.base}/workflows/${workflowId}?step=ask`);
  await page.getByRole("button", { name: "Last run" }).click();
  await page.getByRole("tab", { name: "Output" }).click();
  const approve = page.getByRole("button", { name: "Approve", exact: true });
  await expect.poll(() => approve.filter({ visible: true }).count()).toBe(1);
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.locator(".tl-decision").waitFor({ state: "attached" });
  expect(await approve.filter({ visible: true }).count()).toBe(1);
  await page.setViewportSize({ width: 390, height: 844 });
  await page.getByRole("button", { name: "Close", exact: false }).filter({ visible: true }).last().click();
  await page.getByRole("region", { name: "Current run" }).getByRole("button", { name: "Approve" }).click();
  await expect.poll(async () => (await taskOf(user, taskId)).status).toBe("completed");
});
