import { expect, test } from "vitest";
import { runInNewContext } from "node:vm";
import { imported, type Node, set, step } from "../testing/import-nodes.ts";

const url = "https://api.notion.com/v1/pages";
const post = (more: object, typeVersion = 4.2): Omit<Node, "name"> => ({
  type: "httpRequest",
  typeVersion,
  parameters: { method: "POST", url, sendBody: true, ...more },
});
const form = (...parameters: object[]) => ({
  contentType: "form-urlencoded",
  bodyParameters: { parameters },
});

test("fixed form fields are sent URL-encoded with their content type", () => {
  const { step: sent, report } = step(post(form({ name: "a b", value: "c&d" }, { name: "e", value: "" })));
  expect(sent).toMatchObject({
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body: "a%20b=c%26d&e=",
  });
  expect(report.result).toBe("ready");
});

test("form fields with expressions are encoded in the run: missing ones are left out, objects are written by field", () => {
  const { step: sent, report } = step(
    post(
      form(
        { name: "a", value: "={{ $json.a }}" },
        { name: "b", value: "={{ $json.b }}" },
        { name: "c", value: "x=1" },
      ),
    ),
  );
  expect(report.result).toBe("ready");
  const script = /^\{\{= ([\s\S]*) \}\}$/.exec(String(sent["body"]))?.[1] ?? "";
  const run = (output: object): unknown => runInNewContext(script, { steps: { "get-row": { output } } });
  expect(run({ a: "é&", b: { x: 1, y: [null, "z"] } })).toBe(
    "a=%C3%A9%26&b%5Bx%5D=1&b%5By%5D%5B0%5D=&b%5By%5D%5B1%5D=z&c=x%3D1",
  );
  expect(run({ b: 0 })).toBe("b=0&c=x%3D1");
});

test("a form as text is the body, and version 2 has the same kinds of bodies", () => {
  expect(step(post({ contentType: "form-urlencoded", specifyBody: "string", body: "a=1" }))).toMatchObject({
    step: { body: "a=1", headers: { "content-type": "application/x-www-form-urlencoded" } },
    report: { result: "ready" },
  });
  const old = (bodyContentType: string) => ({
    requestMethod: "POST",
    bodyContentType,
    bodyParametersUi: { parameter: [{ name: "a", value: "1" }] },
  });
  expect(step(post(old("form-urlencoded"), 2)).step).toMatchObject({ body: "a=1" });
  expect(step(post(old("multipart-form-data"), 2)).step).toMatchObject({ multipart: { a: "1" } });
});

const file = (property?: string): Omit<Node, "name"> => ({
  type: "httpRequest",
  parameters: {
    url: "https://a.example/file.pdf",
    options: {
      response: {
        response: { responseFormat: "file", ...(property !== undefined && { outputPropertyName: property }) },
      },
    },
  },
});
const upload = (property: string) =>
  post({
    contentType: "multipart-form-data",
    bodyParameters: {
      parameters: [
        { parameterType: "formBinaryData", name: "file", inputDataFieldName: property },
        { name: "tag", value: "a" },
        { name: "tag", value: "b" },
      ],
    },
  });

test("the file of a form and of a body is the output of the step that gives it", () => {
  expect(step(upload("data"), file())).toMatchObject({
    step: { multipart: { file: "{{steps.get-row.output}}", tag: ["a", "b"] } },
    report: { result: "ready" },
  });
  expect(step(post({ contentType: "binaryData", inputDataFieldName: "pdf" }), file("pdf"))).toMatchObject({
    step: { body: "{{steps.get-row.output}}" },
    report: { result: "ready" },
  });
  const other = step(upload("image"), file());
  expect(other.report).toMatchObject({
    result: "check",
    note: expect.stringContaining("Choose the file to send"),
  });
});

test("a full response is ready, and what reads its status is to check", () => {
  const request: Node = {
    name: "Get",
    type: "httpRequest",
    parameters: { url, options: { response: { response: { fullResponse: true } } } },
  };
  const ofNext = (next: Omit<Node, "name">) =>
    imported([request, { ...next, name: "Next" } as Node], { Get: [["Next"]] }).nodes;
  const code = (jsCode: string) => ({ type: "code", typeVersion: 2, parameters: { jsCode } });
  expect(ofNext(set("={{ $json.body.id }}"))).toMatchObject([{ result: "ready" }, { result: "ready" }]);
  for (const next of [
    set("={{ $json.statusCode }}"),
    set("={{ $json }}"),
    code("return $input.all();"),
    { type: "aggregate", parameters: { aggregate: "aggregateAllItemData" } },
  ])
    expect([next, ofNext(next)[1]?.result]).toEqual([next, "check"]);
});

test("pagination has a note with the next page and its end, and none when it is off", () => {
  const paged = (pagination: object) =>
    step({ type: "httpRequest", parameters: { url, options: { pagination: { pagination } } } }).report;
  const parameters = { parameters: [{ type: "qs", name: "page", value: "={{ $pageCount + 1 }}" }] };
  expect(paged({ parameters, limitPagesFetched: true, maxRequests: 5 })).toMatchObject({
    result: "check",
    note: "It requests one page. n8n requests the next one with “page” = “{{ $pageCount + 1 }}” until the response is empty, 5 at most: put the step into a Repeat while.",
  });
  expect(
    paged({
      paginationMode: "responseContainsNextURL",
      nextURL: "={{ $response.body.next }}",
      paginationCompleteWhen: "other",
      completeExpression: "={{ !$response.body.next }}",
    }).note,
  ).toContain("at “{{ $response.body.next }}” until “{{ !$response.body.next }}” is true");
  expect(paged({ paginationMode: "off" }).result).toBe("ready");
});
