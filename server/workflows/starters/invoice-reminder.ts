import type { Starter } from "./starter.ts";

export const invoiceReminder: Starter = {
  id: "invoice-reminder",
  name: "Write reminders with code",
  description:
    "Finds overdue invoices with a few lines of JavaScript and writes a reminder for each. Without invoices it uses a small example.",
  category: "data",
  metadata: {
    inputSchema: {
      type: "object",
      properties: {
        invoices: {
          type: "array",
          title: "Invoices",
          description: "With customer, total and due",
          items: {
            type: "object",
            properties: {
              customer: { type: "string" },
              total: { type: "number" },
              due: { type: "string", description: "Such as 2026-01-31" },
            },
          },
        },
      },
    },
    steps: [
      {
        stepId: "overdue",
        type: "code",
        name: "Find overdue invoices",
        code: [
          "const invoices = input.invoices ?? [",
          '  { customer: "Ada", total: 30, due: "2020-01-31" },',
          '  { customer: "Ben", total: 12.5, due: "2999-01-31" },',
          "];",
          "const today = DateTime.fromISO(now);",
          "const overdue = invoices.filter(({ due }) => DateTime.fromISO(due) < today);",
          "console.log(`${overdue.length} of ${invoices.length} invoices are overdue`);",
          "return overdue;",
        ].join("\n"),
        position: { x: 0, y: 0 },
      },
      {
        stepId: "reminders",
        type: "foreach",
        name: "For each invoice",
        items: "{{steps.overdue.output}}",
        steps: [
          {
            stepId: "reminder",
            type: "transform",
            name: "Write the reminder",
            template:
              "Dear {{item.customer}}, your invoice over {{= item.total.toFixed(2) }} was due on {{= DateTime.fromISO(item.due).setLocale('en-GB').toFormat('d LLLL yyyy') }}.",
          },
        ],
        edges: [],
        position: { x: 0, y: 160 },
      },
    ],
    edges: [{ id: "overdue-reminders", source: "overdue", target: "reminders" }],
  },
};
