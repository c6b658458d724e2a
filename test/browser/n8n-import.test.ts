import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { stepNode } from "./support/builder.ts";
import { invoiceReminders } from "./support/n8n-workflow.ts";
import { dropFile, savedGraph, seriousFindings, useVisits, waitForSave } from "./support/visit.ts";

const visit = useVisits();
const file = {
  name: "invoice-reminders.json",
  type: "application/json",
  content: JSON.stringify(invoiceReminders),
};

const row = (page: Page, name: string) => page.getByRole("row", { name: new RegExp(`^${name} `) });
const detail = (page: Page) => page.getByRole("complementary", { name: /^Node / });
/** As the browser does it: without a permission, and for the element that has the focus. */
const paste = (page: Page, text: string) =>
  page.evaluate(`{
    const data = new DataTransfer();
    data.setData("text/plain", ${JSON.stringify(text)});
    (document.activeElement ?? document.body).dispatchEvent(
      new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }));
  }`);

test("a file of n8n is reviewed, imported as a draft and checked step by step", async () => {
  const user = await visit.register("mover");
  const bot = await user.post("/api/connections", {
    kind: "bearer",
    app: "slack",
    name: "Finance bot",
    secrets: { token: "xoxb" },
  });
  const page = await visit.open("/workflows", { user });
  await page.getByText("Import from n8n").click();
  await page.getByRole("heading", { name: "Bring a workflow from n8n" }).waitFor();
  await page.getByLabel("Or paste the workflow").fill("{ broken");
  await page.getByRole("button", { name: "Review" }).click();
  await page.getByRole("alert").getByText("The JSON is damaged or incomplete.").waitFor();
  await dropFile(page.locator(".drop-area"), file);

  await page.getByLabel("Name").waitFor();
  await page.getByText("invoice-reminders.json · 9 nodes").waitFor();
  // The connection with the name of the credential is chosen, and one for HTTP is not guessed.
  await expect.poll(() => page.getByLabel(/^Slack/).inputValue()).toBe(bot.body.connection.id);
  expect(await page.getByLabel(/^Billing key/).inputValue()).toBe("");
  await row(page, "Send fax").getByText("Not supported").waitFor();
  expect(await row(page, "Every morning").innerText()).toContain("every day at 07:30");
  expect(await seriousFindings(page)).toEqual([]);

  await row(page, "Split").click();
  await detail(page).getByRole("region", { name: "Code in Baton" }).getByText("const items =").waitFor();
  await row(page, "Text").click();
  await detail(page).getByText("{{ $json.id }}").first().waitFor();
  // A reload keeps the file.
  await page.reload();
  await page.getByLabel("Name").fill("Reminders");
  await page.getByRole("radio", { name: "To check 2" }).check();
  await row(page, "Each invoice").click();
  await detail(page).getByRole("button", { name: "Looks right" }).click();
  await row(page, "Each invoice").getByText("Checked").waitFor();
  await page.getByRole("radio", { name: "To check 1" }).waitFor();
  await detail(page).getByRole("heading", { name: "Paid" }).waitFor();
  await page.getByRole("button", { name: "Import as draft" }).click();

  // The first trigger of the file is open with its values, and nothing was created.
  await page.waitForURL(/\/workflows\/wf_/);
  const id = page.url().split("/").at(-1) ?? "";
  await expect.poll(() => page.getByLabel("Cron").inputValue()).toBe("30 7 * * *");
  expect(await page.getByLabel("Time zone").inputValue()).toBe("Europe/Berlin");
  expect((await user.get("/api/schedules")).body.schedules).toEqual([]);
  await page.getByText("One step is marked “Check”.").waitFor();
  const stored = await savedGraph(user, id);
  expect(stored.notes.map(({ text }: { text: string }) => text.split("\n")[0])).toEqual([
    "Triggers to add",
    "Reminders",
  ]);
  expect((await user.get(`/api/workflows/${id}`)).body.workflow).toMatchObject({
    name: "Reminders",
    published: false,
  });

  await page.getByRole("button", { name: "Close panel" }).click();
  expect(JSON.stringify(stored).match(/"toCheck"/g)).toHaveLength(1);
  const fax = stepNode(page, "each-invoice/send-fax");
  await fax.getByText("Check", { exact: true }).click();
  const panel = page.getByRole("complementary", { name: "Inspector" });
  await panel.getByText("Community node.").waitFor();
  await panel.getByRole("button", { name: "Looks right" }).click();
  await fax.getByText("Disabled").waitFor();
  await waitForSave(page);
  expect(JSON.stringify(await savedGraph(user, id))).not.toContain("toCheck");
});

test("nodes copied in n8n are pasted on the list and on the canvas, and one of several workflows is chosen", async () => {
  const user = await visit.register("paster");
  const { nodes, connections } = invoiceReminders;
  const copied = JSON.stringify({ nodes, connections, meta: { instanceId: "1" } });
  const page = await visit.open("/workflows", { user });
  await page.getByText("Start with a template").waitFor();
  await page.waitForLoadState("networkidle");
  await paste(page, copied);
  await page.getByText("Pasted from n8n · 9 nodes").waitFor();

  const { body } = await user.post("/api/workflows", { name: "Empty", published: false });
  await page.goto(`${visit.base}/workflows/${body.workflow.id}`);
  await page.getByText("Choose a trigger").waitFor();
  await paste(page, copied);
  await page.locator(".toast").getByRole("button", { name: "Import" }).click();
  await page.getByText("Pasted from n8n · 9 nodes").waitFor();

  await page.goto(`${visit.base}/templates`);
  await page.getByLabel("Template file").setInputFiles({
    name: "backup.json",
    mimeType: file.type,
    buffer: Buffer.from(JSON.stringify([invoiceReminders, { ...invoiceReminders, name: "Refunds" }])),
  });
  await page.getByRole("button", { name: /^Refunds/ }).click();
  await expect.poll(() => page.getByLabel("Name").inputValue()).toBe("Refunds");
  await page.goBack();
  await page.getByRole("heading", { name: "Choose a workflow" }).waitFor();
});

test("on a phone, a node opens over the list and closes with its focus", async () => {
  const user = await visit.register("phone");
  const page = await visit.open("/workflows/import-n8n", { user, width: 390 });
  await page.getByLabel("n8n file").setInputFiles({
    name: file.name,
    mimeType: file.type,
    buffer: Buffer.from(file.content),
  });
  await page.getByRole("button", { name: "Tell finance" }).click();
  await detail(page).getByRole("heading", { name: "Tell finance" }).waitFor();
  expect(await seriousFindings(page)).toEqual([]);
  await page.keyboard.press("Escape");
  await detail(page).waitFor({ state: "detached" });
  expect(await page.evaluate("document.activeElement.textContent")).toBe("Tell finance");
  expect(await page.evaluate<number>("document.documentElement.scrollWidth - innerWidth")).toBe(0);
});
