import { expect, test } from "vitest";
import type { RegisteredUser } from "../support/test-app.ts";
import { checkScreen, useVisits } from "./support/visit.ts";
import { weigh } from "./support/weight.ts";

const visit = useVisits();

const inputSchema = {
  type: "object",
  properties: {
    name: { type: "string", title: "Your name" },
    email: { type: "string", title: "Email", format: "email" },
    amount: { type: "number", title: "Amount", minimum: 1 },
    reason: { type: "string", title: "Reason", enum: ["Late", "Damaged"] },
    bought: { type: "string", title: "Bought on", format: "date" },
    details: { type: "string", title: "What happened?", format: "multiline" },
    tags: { type: "array", title: "Items", items: { type: "string" } },
    urgent: { type: "boolean", title: "This is urgent" },
  },
  required: ["name", "email", "amount", "reason", "details"],
};

async function createForm(user: RegisteredUser, apiSettings: Record<string, unknown>): Promise<string> {
  const { body } = await user.post("/api/workflows", {
    name: "Refunds",
    metadata: {
      steps: [
        { stepId: "reply", type: "transform", template: "Refund of {{input.amount}} for {{input.name}}" },
      ],
      edges: [],
      inputSchema,
    },
    apiSettings,
    form: { enabled: true, title: "Ask for a refund", description: "We reply within a day." },
  });
  return body.workflow.id as string;
}

test("a person fills in a form by keyboard, corrects what is wrong and reads the result", async () => {
  const user = await visit.register();
  const id = await createForm(user, { endpointName: "refund", authentication: false });
  const page = await visit.open("/f/refund");
  await page.getByRole("heading", { name: "Ask for a refund" }).waitFor();
  expect(await page.title()).toBe("Ask for a refund");
  await checkScreen(page, "form");

  await page.getByLabel("Your name").focus();
  await page.keyboard.type("Ada");
  await page.keyboard.press("Tab");
  await page.keyboard.type("ada@example");
  await page.keyboard.press("Enter");
  await page.getByText("Email must be an email address.").waitFor();
  for (const problem of ["Amount is required.", "Reason is required.", "“What happened?” is required."])
    expect(await page.getByText(problem).isVisible()).toBe(true);
  expect(
    await page.getByLabel("Email").evaluate((field: any) => field === field.ownerDocument.activeElement),
  ).toBe(true);
  await checkScreen(page, "form-problems");

  await page.getByLabel("Email").fill("ada@example.com");
  await page.getByLabel("Amount").fill("12.5");
  await page.getByLabel("Reason").selectOption("Damaged");
  await page.getByLabel("Bought on").fill("2026-01-31");
  await page.getByLabel("What happened?").fill("It broke.\nTwice.");
  await page.getByLabel("Items").fill("Cup\nPlate");
  await page.getByLabel("This is urgent").check();
  await page.getByRole("button", { name: "Submit" }).click();
  await page.getByText("Refund of 12.5 for Ada").waitFor();
  await page.getByText("Thank you. Your answers were received.").waitFor();
  await checkScreen(page, "form-sent");

  const { tasks } = (await user.get(`/api/tasks?workflowId=${id}`)).body;
  expect(tasks).toMatchObject([{ trigger: "form" }]);
  expect((await user.get(`/api/tasks/${tasks[0].id}`)).body.task.input).toEqual({
    name: "Ada",
    email: "ada@example.com",
    amount: 12.5,
    reason: "Damaged",
    bought: "2026-01-31",
    details: "It broke.\nTwice.",
    tags: ["Cup", "Plate"],
    urgent: true,
  });
  await page.getByRole("button", { name: "Send another response" }).click();
  expect(await page.getByLabel("Your name").inputValue()).toBe("");
});

test("a protected form asks for the key, and a wrong one keeps what was entered", async () => {
  const user = await visit.register();
  await createForm(user, { endpointName: "guarded", sync: false });
  const { rawKey } = (await user.post("/api/keys", {})).body;
  const page = await visit.open("/f/guarded", { width: 390, theme: "dark" });
  await page.getByRole("button", { name: "Submit" }).click();
  await page.getByText("Your name is required.").waitFor();
  // The focus scrolls to the field with its label, not only to the field.
  const top = async () => (await page.getByText("Your name", { exact: true }).boundingBox())?.y;
  await expect.poll(top).toBeGreaterThan(0);
  await page.getByLabel("API key").fill("wrong");
  await page.getByLabel("Your name").fill("Ada");
  await page.getByLabel("Email").fill("ada@example.com");
  await page.getByLabel("Amount").fill("3");
  await page.getByLabel("Reason").selectOption("Late");
  await page.getByLabel("What happened?").fill("Nothing");
  await page.getByRole("button", { name: "Submit" }).click();
  await page.getByText("The API key is unknown, expired or revoked.").waitFor();
  expect(await page.getByLabel("Your name").inputValue()).toBe("Ada");
  await checkScreen(page, "form-390-dark");
  await page.getByLabel("API key").fill(rawKey);
  await page.getByRole("button", { name: "Submit" }).click();
  await page.getByText("Thank you. Your answers were received.").waitFor();
});

test("two quick clicks start one run, and so does a send after a lost answer", async () => {
  const user = await visit.register();
  const id = await createForm(user, { endpointName: "once", authentication: false });
  const page = await visit.open("/f/once");
  await page.getByLabel("Your name").fill("Ada");
  await page.getByLabel("Email").fill("ada@example.com");
  await page.getByLabel("Amount").fill("3");
  await page.getByLabel("Reason").selectOption("Late");
  await page.getByLabel("What happened?").fill("Nothing");
  let isLost = false;
  await page.route("**/api/forms/once", async (route) => {
    if (route.request().method() !== "POST" || isLost) return route.continue();
    isLost = true;
    await route.fetch();
    await route.abort();
  });
  await page.getByRole("button", { name: "Submit" }).dblclick();
  await page.getByText("The service cannot be reached.").waitFor();
  await page.getByRole("button", { name: "Submit" }).click();
  await page.getByText("Refund of 3 for Ada").waitFor();
  expect((await user.get(`/api/tasks?workflowId=${id}`)).body.tasks).toHaveLength(1);
});

test("the output is a table for people, and a field that was added later is named", async () => {
  const user = await visit.register();
  const field = { type: "string", title: "Your name" };
  const metadata = (more: object, required: string[]) => ({
    steps: [
      {
        stepId: "reply",
        type: "transform",
        template: [{ item: "Cup", paid: true, to: { name: "{{input.name}}" } }],
      },
    ],
    edges: [],
    inputSchema: { type: "object", properties: { name: field, ...more }, required },
  });
  const { body } = await user.post("/api/workflows", {
    name: "Shop",
    metadata: metadata({}, []),
    apiSettings: { endpointName: "shop", authentication: false },
    form: { enabled: true },
  });
  const page = await visit.open("/f/shop");
  await page.getByLabel("Your name").fill("Ada");
  const change = (given: object) => user.put(`/api/workflows/${body.workflow.id}`, { metadata: given });
  await change(metadata({ phone: { type: "string", title: "Phone" } }, ["phone"]));
  await page.getByRole("button", { name: "Submit" }).click();
  await page.getByText("Phone is required. This form has changed: reload the page.").waitFor();
  await change(metadata({}, []));
  await page.getByRole("button", { name: "Submit" }).click();
  await page.getByRole("columnheader", { name: "item" }).waitFor();
  expect(await page.getByRole("cell").allTextContents()).toEqual(["Cup", "Yes", "name: Ada"]);
});

test("a closed form says so, and the page of a form is light", async () => {
  const user = await visit.register();
  const id = await createForm(user, { authentication: false });
  const page = await visit.open("/f/never-was");
  await page.getByRole("heading", { name: "Form not found" }).waitFor();
  const weight = weigh(page);
  await page.goto(`${visit.base}/f/${id}`);
  await page.getByRole("heading", { name: "Ask for a refund" }).waitFor();
  expect(weight.total()).toBeLessThan(90_000);
});

test("the run dialog is a form of the input fields, with JSON and the last input at hand", async () => {
  const user = await visit.register();
  const id = await createForm(user, {});
  await user.post(`/api/workflows/${id}/run?wait=true`, {
    input: { name: "Grace", email: "g@example.com", amount: 7, reason: "Late", details: "Old" },
  });
  const page = await visit.open(`/workflows/${id}`, { user });
  await page.getByRole("button", { name: "Run", exact: true }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Your name").fill("");
  await dialog.getByLabel("Amount").fill("0");
  await dialog.getByRole("button", { name: "Run now" }).click();
  await dialog.getByText("Your name is required.").waitFor();
  await dialog.getByText("Amount must be at least 1.").waitFor();
  await checkScreen(page, "run-form");

  await dialog.getByRole("button", { name: "Use input of the last run" }).click();
  expect(await dialog.getByLabel("Your name").inputValue()).toBe("Grace");
  await dialog.getByLabel("Your name").fill("Ada");
  await dialog.getByRole("radio", { name: "JSON" }).click();
  expect(JSON.parse(await dialog.getByLabel("Input (JSON)").inputValue())).toMatchObject({
    name: "Ada",
    amount: 7,
  });
  await dialog.getByRole("radio", { name: "Form" }).click();
  await dialog.getByRole("button", { name: "Run now" }).click();
  await expect
    .poll(async () => {
      const { tasks } = (await user.get(`/api/tasks?workflowId=${id}`)).body;
      return tasks.length < 2 ? undefined : (await user.get(`/api/tasks/${tasks[0].id}`)).body.task.input;
    })
    .toMatchObject({ name: "Ada", amount: 7, urgent: false });
});

test("a form takes a file, and the run shows it with its size and a download", async () => {
  const user = await visit.register();
  const { body } = await user.post("/api/workflows", {
    name: "Applications",
    metadata: {
      steps: [{ stepId: "keep", type: "transform", template: { received: "{{input.cv}}" } }],
      edges: [],
      inputSchema: {
        type: "object",
        properties: {
          name: { type: "string", title: "Your name" },
          cv: { type: "object", format: "file", title: "CV" },
        },
        required: ["cv"],
      },
    },
    apiSettings: { endpointName: "apply", authentication: false, sync: true },
    form: { enabled: true, title: "Apply" },
  });
  const page = await visit.open("/f/apply");
  await page.getByLabel("Your name").fill("Ada");
  await page.getByRole("button", { name: "Submit" }).click();
  await page.getByText("CV is required.").waitFor();
  await page.locator("input[type=file]:focus").waitFor();
  await page
    .getByLabel("CV")
    .setInputFiles({ name: "ada.csv", mimeType: "text/csv", buffer: Buffer.from("id\n1\n") });
  await checkScreen(page, "form with a file");
  await page.getByRole("button", { name: "Submit" }).click();
  await page.getByText("Your answers were received").waitFor();

  const { tasks } = (await user.get(`/api/tasks?workflowId=${body.workflow.id}`)).body;
  const run = await visit.open(`/runs/${tasks[0].id}?step=keep`, { user });
  const files = run.getByRole("list", { name: "Files" });
  await files.getByText("ada.csv").waitFor();
  await checkScreen(run, "run with a file");
  const [download] = await Promise.all([
    run.waitForEvent("download"),
    files.getByRole("button", { name: "Download ada.csv" }).click(),
  ]);
  expect(download.suggestedFilename()).toBe("ada.csv");
});
