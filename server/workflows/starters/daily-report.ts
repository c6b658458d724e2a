import type { Starter } from "./starter.ts";

/** Without a URL in the input it reports on this service. */
export const dailyReport = (serviceUrl: string): Starter => ({
  id: "daily-report",
  name: "Daily report over HTTP",
  description:
    "Fetches figures from a web address and adds them, with the time, to reports/daily.md. Without an address it reports on this service itself.",
  category: "reports",
  trigger: { kind: "schedule", text: "Every morning", cron: "0 8 * * *" },
  metadata: {
    inputSchema: {
      type: "object",
      properties: {
        url: { type: "string", format: "uri", title: "Address", description: "Where the figures are" },
      },
    },
    steps: [
      {
        stepId: "source",
        type: "transform",
        name: "Choose the source",
        expression: `input.url ? input.url : ${JSON.stringify(`${serviceUrl}/health`)}`,
        position: { x: 0, y: 0 },
      },
      {
        stepId: "figures",
        type: "http",
        name: "Fetch the figures",
        method: "GET",
        url: "{{steps.source.output}}",
        maxRetries: 2,
        timeoutMs: 30_000,
        position: { x: 0, y: 140 },
      },
      {
        stepId: "entry",
        type: "transform",
        name: "Write the entry",
        template: "## {{now}}\n\nFrom {{steps.source.output}}:\n\n{{steps.figures.output}}\n\n",
        position: { x: 0, y: 280 },
      },
      {
        stepId: "save",
        type: "file",
        name: "Add it to the report",
        action: "append",
        path: "reports/daily.md",
        content: "{{steps.entry.output}}",
        position: { x: 0, y: 420 },
      },
    ],
    edges: [
      { id: "source-figures", source: "source", target: "figures" },
      { id: "figures-entry", source: "figures", target: "entry" },
      { id: "entry-save", source: "entry", target: "save" },
    ],
  },
});
