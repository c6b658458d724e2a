import { expect, test } from "vitest";
import { createGraph, fillValue, openStep, stepNode, valueField } from "./support/builder.ts";
import { fieldText, savedGraph, saveToken, useVisits, waitForSave } from "./support/visit.ts";

const visit = useVisits();

test("a placeholder is one unit: titled by its step, skipped by one key, deleted, copied and undone as a whole", async () => {
  const user = await visit.register("chips");
  const id = await createGraph(user);
  const page = await visit.open(`/workflows/${id}`, { user });
  await openStep(page, "greet");
  const field = valueField(page, "Template");
  const chips = field.locator(".ph-chip");
  await field.fill("Dear {{steps.order.output.customer}}");
  await chips.getByText("The order › customer").waitFor();
  await field.press("End");
  await page.keyboard.type(", hello");
  expect(await fieldText(field)).toBe("Dear {{steps.order.output.customer}}, hello");

  for (let key = 0; key < 7; key += 1) await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.type("Ms ");
  expect(await fieldText(field)).toBe("Dear Ms {{steps.order.output.customer}}, hello");
  await page.keyboard.press("Delete");
  expect(await fieldText(field)).toBe("Dear Ms , hello");
  await page.keyboard.press("Control+z");
  expect(await fieldText(field)).toBe("Dear Ms {{steps.order.output.customer}}, hello");
  await page.keyboard.press("Control+y");
  expect(await fieldText(field)).toBe("Dear Ms , hello");
  await page.keyboard.press("Control+z");

  await page.keyboard.press("Control+a");
  await page.keyboard.press("Control+c");
  await page.keyboard.press("End");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Control+v");
  const once = "Dear Ms {{steps.order.output.customer}}, hello";
  expect(await fieldText(field)).toBe(`${once}\n${once}`);
  expect(await chips.count()).toBe(2);
  await page.keyboard.press("Control+a");
  await page.keyboard.press("Control+x");
  expect(await fieldText(field)).toBe("");
  await page.keyboard.type("To {{inp");
  await page.getByRole("option", { name: "Input" }).click();
  await page.keyboard.type("!");
  expect(await fieldText(field)).toBe("To {{input}}!");
});

test("problems are shown next to the field, and a draft with problems survives a reload", async () => {
  const user = await visit.register("draft");
  const id = await createGraph(user);
  const page = await visit.open(`/workflows/${id}`, { user });
  await openStep(page, "greet");
  const template = valueField(page, "Template");
  expect(await fieldText(template)).toBe("Hello");
  await template.fill("{{steps.missing.output}}");
  await page.getByRole("button", { name: "1 problem" }).waitFor();
  await page.getByRole("button", { name: "1 step needs setup" }).waitFor();
  await waitForSave(page);
  await page.reload();
  await openStep(page, "greet");
  expect(await fieldText(valueField(page, "Template"))).toBe("{{steps.missing.output}}");
  await fillValue(valueField(page, "Template"), "{{steps.order.output}}");
  await waitForSave(page);
});

test("a step that is opened offline is edited and saved when the network is back", async () => {
  const user = await visit.register("tunnel");
  const id = await createGraph(user);
  const page = await visit.open(`/workflows/${id}`, { user });
  await stepNode(page, "greet").waitFor();
  const assets = new Set<string>();
  const loading = new Set<string>();
  page.on("request", (request) => {
    if (!request.url().includes("/assets/")) return;
    assets.add(request.url().replace(/.*\/assets\/|-[\w-]{8}\.\w+$/g, ""));
    loading.add(request.url());
  });
  page.on("requestfinished", (request) => loading.delete(request.url()));
  await page.mouse.move(20, 20);
  await expect.poll(() => [...assets]).toEqual(expect.arrayContaining(["inspector", "value-editor"]));
  await expect.poll(() => [...loading]).toEqual([]);
  await page.context().setOffline(true);
  await openStep(page, "greet");
  await fillValue(valueField(page, "Template"), "Edited offline");
  await page.getByText("Not saved, retrying").waitFor();
  await page.context().setOffline(false);
  await waitForSave(page);
  expect((await savedGraph(user, id)).steps[1].template).toBe("Edited offline");
});

test("a draft survives an expired session and is saved after signing in", async () => {
  const user = await visit.register("sleeper");
  const id = await createGraph(user);
  const page = await visit.open(`/workflows/${id}`, { user });
  await openStep(page, "greet");
  await saveToken(page, "expired");
  await fillValue(valueField(page, "Template"), "Edited after expiry");
  await page.getByLabel("Email").fill(user.email);
  await page.getByLabel("Password", { exact: true }).fill(user.password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await openStep(page, "greet");
  expect(await fieldText(valueField(page, "Template"))).toBe("Edited after expiry");
  await waitForSave(page);
});

test("the answer of a model is a list of fields, or a JSON Schema", async () => {
  const user = await visit.register("structured");
  const steps = [{ stepId: "ask", type: "llm", prompt: "Sort it", schema: { type: "object" } }];
  const id = await createGraph(user, { steps, edges: [] });
  const page = await visit.open(`/workflows/${id}`, { user });
  await openStep(page, "ask");
  const fields = page.getByRole("region", { name: "Answer fields" });
  await fields.getByRole("button", { name: "Add answer field" }).click();
  await fields.getByLabel("Name").fill("priority");
  await fields.getByText("Steps read it as {{steps.ask.output.priority}}").waitFor();
  await fields.getByLabel("Type").selectOption("Whole number");
  await waitForSave(page);
  const schema = { type: "object", properties: { priority: { type: "integer" } }, required: ["priority"] };
  expect((await savedGraph(user, id)).steps[0].schema).toEqual(schema);
  await fields.getByRole("button", { name: "Edit as JSON" }).click();
  await page.getByRole("button", { name: "Edit as fields" }).waitFor();
  expect(JSON.parse(await fieldText(valueField(page, "Answer schema")))).toEqual(schema);
});
