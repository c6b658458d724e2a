const node = (
  name: string,
  type: string,
  at: [number, number],
  parameters: object = {},
  more: object = {},
) => ({
  id: name.toLowerCase().replaceAll(" ", "-"),
  name,
  type: type.includes(".") ? type : `n8n-nodes-base.${type}`,
  typeVersion: 3.4,
  position: at,
  parameters,
  ...more,
});
const to = (...names: string[]) => names.map((name) => ({ node: name, type: "main", index: 0 }));

/** As n8n downloads it: a schedule and a webhook, a loop, a condition, code, an app and a community node. */
export const invoiceReminders = {
  name: "Invoice reminders",
  nodes: [
    node("Every morning", "scheduleTrigger", [0, 200], {
      rule: { interval: [{ triggerAtHour: 7, triggerAtMinute: 30 }] },
    }),
    node("Paid", "webhook", [0, 400], { httpMethod: "POST", path: "paid", responseMode: "onReceived" }),
    node(
      "Open invoices",
      "httpRequest",
      [220, 200],
      {
        url: "https://api.example.com/invoices",
        authentication: "genericCredentialType",
        genericAuthType: "httpHeaderAuth",
      },
      { typeVersion: 4.2, credentials: { httpHeaderAuth: { id: "1", name: "Billing key" } } },
    ),
    node(
      "Split",
      "code",
      [440, 200],
      { jsCode: "return $input.all().flatMap((item) => item.json.invoices.map((json) => ({ json })));" },
      { typeVersion: 2 },
    ),
    node("Each invoice", "splitInBatches", [660, 200], { batchSize: 10 }, { typeVersion: 3 }),
    node("Overdue", "if", [880, 240], {
      conditions: {
        combinator: "and",
        conditions: [
          { leftValue: "={{ $json.days }}", rightValue: 14, operator: { type: "number", operation: "gt" } },
        ],
      },
    }),
    node("Text", "set", [1100, 160], {
      assignments: {
        assignments: [
          {
            name: "text",
            type: "string",
            value: "=Invoice {{ $json.id }}: {{ $json.total.toFixed(2) }} of {{ $now.toISODate() }}",
          },
        ],
      },
    }),
    node("Send fax", "n8n-nodes-fax.fax", [1320, 160], { number: "={{ $json.fax }}" }),
    node(
      "Tell finance",
      "slack",
      [880, 20],
      {
        select: "channel",
        channelId: { __rl: true, mode: "id", value: "C0123" },
        text: "=Done {{ $now.toISODate() }}",
      },
      { typeVersion: 2.2, credentials: { slackApi: { id: "2", name: "Finance bot" } } },
    ),
    node("Sticky Note", "stickyNote", [-40, 60], {
      content: "## Reminders\nAsk Mia first",
      width: 240,
      height: 120,
    }),
  ],
  connections: {
    "Every morning": { main: [to("Open invoices")] },
    "Open invoices": { main: [to("Split")] },
    Split: { main: [to("Each invoice")] },
    "Each invoice": { main: [to("Tell finance"), to("Overdue")] },
    Overdue: { main: [to("Text"), to("Each invoice")] },
    Text: { main: [to("Send fax")] },
    "Send fax": { main: [to("Each invoice")] },
  },
  pinData: { "Open invoices": [{ json: { invoices: [] } }] },
  settings: { timezone: "Europe/Berlin" },
  meta: { instanceId: "a1b2" },
};
