import { expect, test } from "vitest";
import { imported } from "../testing/import-nodes.ts";

const key = "sk-proj-0123456789abcdefghij";
const request = (parameters: object) =>
  imported([{ name: "Call", type: "httpRequest", parameters: { url: "https://a.example", ...parameters } }])
    .nodes[0]!;
const header = (name: string, value: string) => ({
  sendHeaders: true,
  headerParameters: { parameters: [{ name, value }] },
});

test.each<[string, object]>([
  ["Authorization", header("Authorization", `Bearer ${key}`)],
  ["x-api-key", header("x-api-key", "8f2c19a0b7e64d55")],
  ["url", { url: "https://a.example/v1?api_key=8f2c19a0b7e64d55" }],
  [
    "jsonBody",
    { sendBody: true, specifyBody: "json", jsonBody: '={"password": "hunter22", "id": {{ $json.id }}}' },
  ],
])("a secret written in %s is to check, and is not in the note", (field, parameters) => {
  const { result, note } = request(parameters);
  expect([result, note]).toEqual([
    "check",
    `A secret is written in “${field}”: move it to a connection or to a secret.`,
  ]);
});

test.each<[string, object]>([
  ["an expression", header("Authorization", "=Bearer {{ $vars.TOKEN }}")],
  ["a stand-in", header("x-api-key", "YOUR_API_KEY")],
  ["another header", header("content-type", "application/json; charset=utf-8")],
])("%s is no secret", (_case, parameters) => {
  expect(request(parameters).note).not.toContain("secret");
});

test("secrets in code and expressions are in the draft, and not in the report", () => {
  const { nodes, workflow } = imported([
    {
      name: "Code",
      type: "code",
      parameters: { jsCode: `const key = "${key}"; return [{ json: { key } }];` },
    },
    {
      name: "Set",
      type: "set",
      parameters: { assignments: { assignments: [{ name: "x", value: `={{ "${key}" + $execution.id }}` }] } },
    },
  ]);
  expect(JSON.stringify(nodes)).not.toContain(key);
  expect(nodes.map(({ result }) => result)).toEqual(["check", "check"]);
  expect(JSON.stringify(workflow.metadata)).toContain(key);
});
