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

const LETTERS = ["a", "b", "c"] as const;

/** An endpoint in Node-RED, its three nodes and the response. */
function nodeRedFlow(nodes: readonly Record<string, unknown>[]) {
  return [
    { id: "flow", type: "tab", label: "three" },
    { id: "hook", type: "http in", z: "flow", url: "/three", method: "post", wires: [["a"]] },
    ...nodes.map((node, index) => ({
      id: LETTERS[index],
      z: "flow",
      wires: [[LETTERS[index + 1] ?? "answer"]],
      ...node,
    })),
    { id: "answer", type: "http response", z: "flow", statusCode: "200", wires: [] },
  ];
}

const change = (from: string, to: string) => ({
  type: "change",
  rules: [{ t: "set", p: to, pt: "msg", to: from, tot: "jsonata" }],
});
const code = (func: string) => ({ type: "function", func, outputs: 1 });
const template = (field: string, text: string, output = "str") => ({
  type: "template",
  field,
  fieldType: "msg",
  format: "handlebars",
  syntax: "mustache",
  template: text,
  output,
});

/** The kinds of nodes of Node-RED that can do these three steps. */
export const nodeRedFlows = {
  "function nodes": nodeRedFlow([
    code("msg.value = msg.payload.name; return msg;"),
    code("msg.value = String(msg.value); return msg;"),
    code("msg.payload = { value: msg.value + '!' }; return msg;"),
  ]),
  "template nodes": nodeRedFlow([
    template("value", "{{payload.name}}"),
    template("value", "{{value}}"),
    template("payload", '{"value":"{{value}}!"}', "json"),
  ]),
  "change nodes": nodeRedFlow([
    change("payload.name", "value"),
    change("value", "value"),
    change("{ 'value': value & '!' }", "payload"),
  ]),
};
