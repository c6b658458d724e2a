import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import type { RegisteredUser } from "../support/test-app.ts";
import { fillValue, valueField } from "./support/builder.ts";
import { createWorkflow } from "./support/runs.ts";
import { checkScreen, confirm, savedGraph, useVisits } from "./support/visit.ts";

const visit = useVisits();

test("a data step shows its result with the data of the last run while it is edited", async () => {
  const user = await visit.register("sorter");
  const id = await createWorkflow(user, [
    {
      stepId: "orders",
      type: "transform",
      template: [
        { id: "first", total: 30 },
        { id: "second", total: 5 },
        { id: "third", total: 50 },
      ],
    },
    {
      stepId: "large",
      type: "data",
      operation: "filter",
      items: "{{steps.orders.output}}",
      field: "total",
      operator: "gt",
      value: 10,
    },
  ]);
  const page = await visit.open(`/workflows/${id}?step=large`, { user });
  const preview = page.getByRole("region", { name: "Preview" });
  await preview.getByText("Run the workflow or “orders” once").waitFor();
  await user.post(`/api/workflows/${id}/run?wait=true`, { input: {} });
  await page.reload();
  await preview.getByText("2 items from 3").waitFor();
  await preview.getByText("third").waitFor();
  await page.getByLabel("Comparison").selectOption("lt");
  await preview.getByText("1 item from 3").waitFor();
  await preview.getByText("second").waitFor();
  await checkScreen(page, "data-preview");
  await page.getByLabel("Operation").selectOption("sort");
  await preview.getByText("3 items from 3").waitFor();
  expect(await page.getByLabel("Comparison").count()).toBe(0);
  await page.getByLabel("By: field 1").fill("total");
  await page.getByLabel("By: order 1").selectOption("Descending");
  await page.getByRole("button", { name: "Add field" }).click();
  await page.getByLabel("By: field 2").fill("id");
  await expect.poll(async () => (await savedStep(user, id, "large")).by).toEqual(["-total", "id"]);
  expect(await preview.getByRole("row").nth(1).textContent()).toBe("third50");
});

test("conditions and computed results are rows that offer the fields of the items", async () => {
  const user = await visit.register("grouper");
  const id = await createWorkflow(user, [
    {
      stepId: "orders",
      type: "transform",
      template: [
        { status: "open", customer: { name: "Ada" }, total: 30 },
        { status: "open", customer: { name: "Ben" }, total: 5 },
        { status: "paid", customer: { name: "Ada" }, total: 50 },
      ],
    },
    {
      stepId: "list",
      type: "data",
      operation: "filter",
      items: "{{steps.orders.output}}",
      operator: "eq",
      value: "paid",
    },
  ]);
  await user.post(`/api/workflows/${id}/run-partial?wait=true`, { stepIds: ["orders"] });
  const page = await visit.open(`/workflows/${id}?step=list`, { user });
  const preview = page.getByRole("region", { name: "Preview" });
  await page.getByRole("button", { name: "status", exact: true }).click();
  await fillValue(valueField(page, "Compare with"), "open");
  await preview.getByText("2 items from 3").waitFor();
  await page.getByRole("button", { name: "+ More conditions" }).click();
  await page.getByLabel("Condition 2: field").fill("total");
  await page.getByLabel("Condition 2: comparison").selectOption("is greater than");
  await fillValue(valueField(page, "Condition 2: value"), "10");
  await preview.getByText("1 item from 3").waitFor();
  await checkScreen(page, "data-conditions");
  await expect
    .poll(() => savedStep(user, id, "list"))
    .toMatchObject({ field: "status", conditions: [{ field: "total", operator: "gt", value: 10 }] });

  await page.getByLabel("Operation").selectOption("group");
  await page.getByRole("button", { name: "customer.name", exact: true }).click();
  await page.getByRole("button", { name: "Add result" }).click();
  await page.getByLabel("Result 1: function").selectOption("Sum");
  await preview.getByText("“Compute” must name a field").waitFor();
  await page.getByLabel("Result 1: field").fill("total");
  await preview.getByRole("cell", { name: "80" }).waitFor();
  await expect
    .poll(async () => (await savedStep(user, id, "list")).aggregates)
    .toEqual({ total_sum: "sum(total)" });
  await checkScreen(page, "data-group");
});

async function savedStep(user: RegisteredUser, id: string, stepId: string): Promise<any> {
  return (await savedGraph(user, id)).steps.find((one: { stepId: string }) => one.stepId === stepId);
}

test("stored values are created, found, edited and deleted", async () => {
  const user = await visit.register("storekeeper");
  await user.put("/api/store/workspace/orders:count", { value: 41 });
  const page = await visit.open("/store", { user });
  await page.getByText("orders:count").waitFor();
  await page.getByRole("button", { name: "New value" }).click();
  await page.getByRole("textbox", { name: "Key", exact: true }).fill("settings");
  await page.getByRole("textbox", { name: "Value" }).fill('{"retries": 3}');
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText('{"retries":3}').waitFor();
  await checkScreen(page, "store");
  await page.getByRole("button", { name: "Edit orders:count" }).click();
  await page.getByRole("textbox", { name: "Value" }).fill("42");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByRole("dialog").waitFor({ state: "detached" });
  expect((await user.get("/api/store/workspace/orders:count")).body.value.value).toBe(42);
  await page.getByLabel("Keys that begin with").fill("set");
  await page.getByText("orders:count").waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Delete settings" }).click();
  await confirm(page, "Delete");
  await page.getByText("No key begins with this").waitFor();
});

test("log lines appear while a step runs, and stay with its result and in the log", async () => {
  const user = await visit.register("logger");
  const open: ServerResponse[] = [];
  const server = createServer((request, response) => {
    if (request.url === "/") response.writeHead(302, { location: "/slow" }).end();
    else open.push(response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const id = await createWorkflow(user, [{ stepId: "call", name: "Call", type: "http", url }]);
  const { body } = await user.post(`/api/workflows/${id}/run`, { input: {} });
  const page = await visit.open(`/runs/${body.taskId}`, { user });
  const panel = page.getByRole("region", { name: "Step" });
  await page.locator('.tl-row[data-step="call"]').getByRole("button", { name: "Call" }).click();
  await panel.getByText("The step is running.").waitFor();
  await panel.getByText(/Redirected to http/).waitFor();
  await checkScreen(page, "live-log");
  await expect.poll(() => open.length).toBe(1);
  open[0]!.end("done");
  await panel.getByRole("tab", { name: "Log" }).click();
  await panel.getByText(/Redirected to http/).waitFor();
  await page.getByRole("radio", { name: "Log" }).click();
  await checkScreen(page, "run-log");
  await page
    .getByRole("region", { name: "Log" })
    .getByText(/Redirected to http/)
    .waitFor();
});
