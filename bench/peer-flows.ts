/** A webhook, three steps that pass a value on, and the response, in the formats of n8n and Node-RED. */

const set = (name: string, value: string, x: number) => ({
  id: name,
  name,
  type: "n8n-nodes-base.set",
  typeVersion: 3.4,
  position: [x, 0],
  parameters: {
    assignments: { assignments: [{ id: name, name: "value", value, type: "string" }] },
    options: {},
  },
});

const toNext = (node: string) => ({ main: [[{ node, type: "main", index: 0 }]] });

export const n8nWorkflow = {
  id: "threestepsbench1",
  name: "three",
  active: false,
  settings: { executionOrder: "v1" },
  nodes: [
    {
      id: "hook",
      name: "hook",
      type: "n8n-nodes-base.webhook",
      typeVersion: 2,
      position: [0, 0],
      webhookId: "three",
      parameters: { httpMethod: "POST", path: "three", responseMode: "lastNode", options: {} },
    },
    set("a", "={{ $json.body.name }}", 200),
    set("b", "={{ $json.value }}", 400),
    set("c", "={{ $json.value }}!", 600),
  ],
  connections: { hook: toNext("a"), a: toNext("b"), b: toNext("c") },
};

const change = (id: string, from: string, to: string, next: string) => ({
  id,
  type: "change",
  z: "flow",
  rules: [{ t: "set", p: to, pt: "msg", to: from, tot: "jsonata" }],
  wires: [[next]],
});

export const nodeRedFlow = [
  { id: "flow", type: "tab", label: "three" },
  { id: "hook", type: "http in", z: "flow", url: "/three", method: "post", wires: [["a"]] },
  change("a", "payload.name", "value", "b"),
  change("b", "value", "value", "c"),
  change("c", "{ 'value': value & '!' }", "payload", "answer"),
  { id: "answer", type: "http response", z: "flow", statusCode: "200", wires: [] },
];
