import { test } from "vitest";
import { openStep } from "./support/builder.ts";
import { checkScreen, useVisits } from "./support/visit.ts";

const visit = useVisits();

const transform = (stepId: string, name: string, template: unknown) => ({
  stepId,
  type: "transform",
  name,
  template,
});
const refunds = {
  name: "Refund requests",
  metadata: {
    steps: [
      transform("get-order", "Get order", {
        id: 10482,
        total: 128.4,
        customer: { name: "Jonas Weber", email: "jonas.weber@example.com" },
        line_items: [{ sku: "NW-MUG-11" }, { sku: "NW-LAMP-03" }, { sku: "NW-RUG-02" }],
      }),
      {
        stepId: "each-line-item",
        type: "foreach",
        name: "For each line item",
        items: "{{steps.get-order.output.line_items}}",
        steps: [
          transform("check-return", "Check return", { sku: "{{item.sku}}", grade: "B" }),
          transform("rate-condition", "Rate condition", "{{steps.check-return.output.grade}}"),
        ],
        edges: [{ id: "rate", source: "check-return", target: "rate-condition" }],
      },
      {
        stepId: "over-100",
        type: "condition",
        name: "Over €100?",
        left: "{{steps.get-order.output.total}}",
        operator: "gt",
        right: 100,
      },
      {
        stepId: "finance-approval",
        type: "approval",
        name: "Finance approval",
        message: "Refund €{{steps.get-order.output.total}} to {{steps.get-order.output.customer.name}}?",
        context: { order: "{{steps.get-order.output.id}}", reason: "{{input.reason}}" },
      },
      transform("refund-payment", "Refund payment", {
        order: "{{steps.get-order.output.id}}",
        amount: "{{steps.get-order.output.total}}",
      }),
    ],
    edges: [
      { id: "e1", source: "get-order", target: "each-line-item" },
      { id: "e2", source: "get-order", target: "over-100" },
      { id: "e3", source: "over-100", target: "finance-approval", condition: "true" },
      { id: "e4", source: "over-100", target: "refund-payment", condition: "false" },
      { id: "e5", source: "finance-approval", target: "refund-payment" },
      { id: "e6", source: "each-line-item", target: "refund-payment" },
    ],
  },
  apiSettings: { enabled: true, endpointName: "refund-requests", authentication: true },
};

test.each(["light", "dark"] as const)("a workflow, its run and Home are accessible in %s", async (theme) => {
  const user = await visit.register("mia");
  const { body } = await user.post("/api/workflows", {
    ...refunds,
    apiSettings: { ...refunds.apiSettings, endpointName: `refund-requests-${theme}` },
  });
  const id = body.workflow.id as string;
  const run = async () =>
    (await user.post(`/api/workflows/${id}/run`, { input: { reason: "arrived damaged" } })).body
      .taskId as string;
  const decided = await run();
  const page = await visit.open(`/runs/${decided}`, { user, theme });
  await page.getByText("Refund €128.4 to Jonas Weber?").waitFor();
  await checkScreen(page, theme === "light" ? "run-waiting" : "run-waiting-dark");
  await page.getByRole("button", { name: "Approve" }).click();
  await page.getByRole("banner").getByText("Completed").waitFor();

  await page.goto(`${visit.base}/workflows/${id}`);
  await openStep(page, "refund-payment");
  await page.getByText("Get order › total").first().waitFor();
  await page.getByRole("button", { name: "Fit View" }).click();
  await checkScreen(page, theme === "light" ? "builder" : "builder-dark");

  await run();
  await page.goto(`${visit.base}/`);
  await page.getByText("Refund €128.4 to Jonas Weber?").waitFor();
  await checkScreen(page, theme === "light" ? "home" : "home-dark");
});
