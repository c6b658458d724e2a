/** One order workflow, told consistently across the reference. Values by the name of their field. */
const id = (prefix: string): string => `${prefix}_01jc8v3k4m0007x2n5r9t1w6y8zab`;

const prefixes: Readonly<Record<string, string>> = {
  Agent: "agent",
  AgentSession: "sess",
  ApiKey: "key",
  Collection: "col",
  Delivery: "dlv",
  Document: "doc",
  LogEntry: "msg",
  LoginSession: "login",
  Schedule: "sch",
  ServiceAccount: "sa",
  RssTrigger: "trg",
  EmailTrigger: "trg",
  ChatTrigger: "trg",
  TriggerItem: "item",
  Task: "task",
  Team: "team",
  Template: "tpl",
  User: "user",
  Webhook: "wh",
  Workflow: "wf",
};

const steps = [
  {
    stepId: "fetch-order",
    type: "http",
    method: "GET",
    url: "https://shop.example.com/orders/{{input.orderId}}",
  },
  { stepId: "confirm", type: "transform", template: "Order {{input.orderId}} is confirmed." },
];
const edges = [{ id: "e1", source: "fetch-order", target: "confirm" }];
export const exampleGraph = { steps, edges };
const quote = "Payment is due within 30 days.";

/** Values of fields that depend on the component around them. */
const ofComponents: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  Agent: { name: "Researcher", description: "Finds facts about orders and products." },
  ApiKey: { name: "Website", prefix: "bk_9b1e7c4d" },
  Collection: { name: "Contracts", description: "Contracts with suppliers." },
  Schedule: { name: "Every weekday at nine", lastTaskId: id("task"), lastSkip: null },
  ServiceAccount: { name: "Deployments", role: "builder" },
  Team: { name: "Order desk", description: "Answers questions about orders." },
  User: { name: "Ada Lovelace" },
  Variable: { name: "shop_url" },
  Webhook: { name: "Shop orders", metadata: { events: ["order.created"] }, signature: null },
};

const values: Readonly<Record<string, unknown>> = {
  address: "192.0.2.7",
  agentId: id("agent"),
  agents: [id("agent")],
  answer: "Payment is due within 30 days [1].",
  answered_by: "openai/gpt-5-mini",
  a2aSecret: "a2a_3f9c2b7e5d1a4c8b9e0f6a2d",
  callId: "call_1",
  capabilities: ["research"],
  chatId: id("chat"),
  chunk_id: id("chunk"),
  collection_id: id("col"),
  collection_ids: [id("col")],
  comment: "Checked with the supplier.",
  content: "Summarize the open orders.",
  context: { amount: 128.4 },
  code: "http_error",
  cost: { amount: 0.0012, currency: "USD" },
  createdBy: id("user"),
  cron: "0 9 * * 1-5",
  currentPassword: "correct horse battery staple",
  deliveryId: id("dlv"),
  description: "Confirms an order by its number.",
  details: undefined,
  document_id: id("doc"),
  document_ids: [id("doc")],
  edges,
  email: "ada@example.com",
  endpointName: "confirm-order",
  error: null,
  failedStep: "fetch-order",
  folder: "Shop",
  from: { id: id("agent"), type: "internal" },
  headers: { "content-type": "application/json" },
  input: { orderId: "A-1042" },
  item: { orderId: "A-1042" },
  key: "bk_9b1e7c4d2f6a8035",
  keptSteps: ["fetch-order"],
  message: "The order was not found.",
  messageId: id("msg"),
  metadata: exampleGraph,
  model: "openai/gpt-5-mini",
  name: "Confirm order",
  newPassword: "a longer passphrase than before",
  nextCursor: null,
  note: "Confirm by email",
  objective: "Summarize the open orders.",
  output: "Order A-1042 is confirmed.",
  outputs: { confirm: "Order A-1042 is confirmed." },
  ownerId: id("user"),
  parentTaskId: id("task"),
  password: "correct horse battery staple",
  prompt: "When an order arrives, fetch it and confirm it.",
  query: "When is payment due?",
  quote,
  rawKey: "bk_9b1e7c4d2f6a8035c1d2e3f4a5b6c7d8",
  requestedAt: "2026-03-02T09:30:00.000Z",
  rerunFromStep: "fetch-order",
  resolved_query: "When is payment due?",
  responseStepId: "confirm",
  result: { output: "Order A-1042 is confirmed.", outputs: { confirm: "Order A-1042 is confirmed." } },
  recordId: id("wf"),
  role: "researcher",
  secret: "whsec_4b1f9c7e2d6a8053",
  sessionId: id("sess"),
  source: "shop",
  stepId: "fetch-order",
  stepIds: ["fetch-order"],
  steps,
  systemPrompt: "Answer in one sentence and name your sources.",
  tag: "orders",
  tags: ["orders"],
  taskId: id("task"),
  teamId: id("team"),
  text: quote,
  timezone: "Europe/Berlin",
  successMessage: "Thank you. We confirm your order by email.",
  submitLabel: "Send",
  title: "Order terms",
  token: "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJ1c2VyXzAxIn0.c2lnbmF0dXJl",
  type: "http",
  url: "https://shop.example.com/terms.html",
  userAgent: "Mozilla/5.0",
  value: "https://shop.example.com",
  version: 3,
  webhookId: id("wh"),
  workflowId: id("wf"),
  workflowName: "Confirm order",
};

const formats: Readonly<Record<string, unknown>> = {
  "date-time": "2026-03-02T09:30:00.000Z",
  date: "2026-03-02",
  email: "ada@example.com",
  uri: "https://shop.example.com",
  binary: "(bytes)",
};

/** Values for the field `name` of `owner`, a component; the best one first. */
export function knownValues(name: string, owner: string | undefined, format: unknown): unknown[] {
  const component = owner?.replace(/(WithSecret|Input|ListItem|Summary)$/, "") ?? "";
  const prefix = name === "id" ? prefixes[component] : undefined;
  const known = [
    prefix && id(prefix),
    ofComponents[component]?.[name],
    values[name],
    formats[String(format)],
  ];
  return known.filter((value) => value !== undefined && value !== null);
}

/** True for fields whose usual value is null, such as the error of a run. */
export function isUsuallyNull(name: string, owner: string | undefined): boolean {
  return values[name] === null || ofComponents[owner ?? ""]?.[name] === null;
}
