import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { valueField } from "./support/builder.ts";
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
  await preview.getByText("Run the workflow once").waitFor();
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
  await valueField(page, "By").pressSequentially("total, name");
  await expect
    .poll(
      async () =>
        (await savedGraph(user, id)).steps.find(({ stepId }: { stepId: string }) => stepId === "large").by,
    )
    .toEqual(["total", "name"]);
});

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
