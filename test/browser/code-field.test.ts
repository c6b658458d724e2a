import { expect, test } from "vitest";
import { createGraph, edge, openStep, step, stepNode, valueField } from "./support/builder.ts";
import {
  checkScreen,
  findingsInOtherTheme,
  savedGraph,
  seriousFindings,
  useVisits,
  waitForSave,
} from "./support/visit.ts";

const visit = useVisits();

const graph = {
  steps: [
    step("order", { template: { total: 12, "ship-to": "Rome" } }),
    { stepId: "code", type: "code", name: "Totals", code: "return 1", position: { x: 0, y: 200 } },
    {
      stepId: "each",
      type: "foreach",
      items: [1],
      steps: [{ stepId: "inner", type: "code", name: "Inner", code: "return 1" }],
      position: { x: 400, y: 0 },
    },
  ],
  edges: [edge("order", "code")],
};

test("code is written with completion of real values; console and error line are shown; Esc and Tab leave the editor", async () => {
  const user = await visit.register("coder");
  const id = await createGraph(user, graph);
  const started = await user.post(`/api/workflows/${id}/run`, { input: {} });
  await expect
    .poll(async () => (await user.get(`/api/tasks/${started.body.taskId}`)).body.task.status)
    .toBe("completed");
  const page = await visit.open(`/workflows/${id}`, { user });
  await stepNode(page, "code").click();
  const field = page.getByRole("textbox", { name: "Code", exact: true });
  await page.locator(".code-editor .cm-content").waitFor();
  await field.press("Control+a");
  await page.keyboard.type("const total = steps.order.output.to");
  await page.getByRole("option", { name: /steps\.order\.output\.total/ }).click();
  await page.keyboard.type(";\nconsole.log('total', total);\nreturn total.missing.field;");
  await waitForSave(page);
  expect((await savedGraph(user, id)).steps[1].code).toBe(
    "const total = steps.order.output.total;\nconsole.log('total', total);\nreturn total.missing.field;",
  );
  await page.keyboard.press("Control+Shift+Enter");
  await page.getByText("code_failed").waitFor();
  await page.getByRole("tab", { name: "Settings" }).click();
  await page.getByRole("region", { name: "Console" }).getByText("total 12").waitFor();
  await page.getByRole("button", { name: "Line 3" }).waitFor();
  expect(await page.locator(".cm-failed-line").textContent()).toContain("total.missing");
  expect(await seriousFindings(page)).toEqual([]);
  expect(await findingsInOtherTheme(page)).toEqual([]);

  await stepNode(page, "each/inner").click();
  await field.press("Control+a");
  await page.keyboard.press("Delete");
  await page.locator(".cm-placeholder", { hasText: "return item;" }).waitFor();

  await field.focus();
  await page.keyboard.press("Escape");
  await page.keyboard.press("Tab");
  expect(await field.evaluate((element) => element.matches(":focus-within"))).toBe(false);
  await page.locator(".code-editor").waitFor();
  await page.setViewportSize({ width: 390, height: 800 });
  await page.locator(".code-editor .cm-content").waitFor();
  expect(await page.locator("html").evaluate(({ scrollWidth }) => scrollWidth)).toBeLessThanOrEqual(390);
  expect(await seriousFindings(page)).toEqual([]);
});

test("an expression is one unit in a text field, without a problem", async () => {
  const user = await visit.register("expression");
  const id = await createGraph(user);
  const page = await visit.open(`/workflows/${id}`, { user });
  await openStep(page, "greet");
  const field = valueField(page, "Template");
  await field.fill("Total {{= steps.order.output.total * 2 }} €");
  await field.locator(".ph-chip").getByText("= steps.order.output.total * 2").waitFor();
  expect(await field.locator(".ph-chip.unknown").count()).toBe(0);
  await waitForSave(page);
  expect((await savedGraph(user, id)).steps[1].template).toBe("Total {{= steps.order.output.total * 2 }} €");
});

test("an expression shows its value with the data of the last run, or why it fails, from the sandbox", async () => {
  const user = await visit.register("previewer");
  const id = await createGraph(user);
  await user.post(`/api/workflows/${id}/run?wait=true`, { input: {} });
  const page = await visit.open(`/workflows/${id}`, { user });
  await openStep(page, "greet");
  const field = valueField(page, "Template");
  await field.fill("Total {{= steps.order.output.total * 2 }} €");
  await page.getByText("= Total 2400 €", { exact: true }).waitFor();
  await checkScreen(page, "expression-value");
  await field.fill("{{= steps.order.output.missing.deeper }}");
  await page.getByText(/^With the data of the last run: .*undefined/).waitFor();
});
