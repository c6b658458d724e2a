import { expect, test } from "vitest";
import { idempotencyKeyOf } from "./http-idempotency.ts";
import type { UploadBody } from "./http-upload.ts";

const call = { idempotencyKey: "task_1:step", answeredFailures: 0 };
const url = new URL("https://api.example/orders");
const agent = { "user-agent": "Baton" };
const upload: UploadBody = {
  bytes: 3,
  contentType: "text/csv",
  fingerprint: "file_1",
  open: () => Promise.reject(new Error("not read")),
};
const many = Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`x-${(i * 7) % 40}`, String(i)]));

type Init = Parameters<typeof idempotencyKeyOf>[1]["init"];

// A receiver remembers the key of a request that was sent before an upgrade.
test.each<[string, Partial<Init>, URL?]>([
  ["794dd96e2f3f6ca2", { method: "GET", headers: agent }],
  ["1ed807895714f592", { method: "GET" }, new URL('https://api.example/orders?q="a"&b=\\')],
  ["0a1e2e91edf432cd", { headers: { ...agent, "content-type": "application/json" }, body: '{"a":1}' }],
  [
    "d711760c4b920220",
    {
      headers: {
        ...agent,
        "x-b": 'quote " and \\ and \x80é',
        "x-a": "1",
        authorization: "Bearer 1",
        "content-type": "text/plain",
      },
      body: "wörds",
    },
  ],
  [
    "1cd46d4fff0f0a4e",
    {
      method: "PUT",
      headers: { ...agent, "content-type": "image/png" },
      body: Buffer.from([0x89, 0x50, 0xff]),
    },
  ],
  ["23b5a070be79041f", { method: "PUT", headers: { ...agent, "content-type": "text/csv" }, body: upload }],
  ["db5c0175c8bf4e19", { headers: many, body: "" }],
])("the key %s of a request never changes", (key, init, address = url) => {
  const request = { url: address, init: { method: "POST", headers: {}, body: undefined, ...init } };
  expect(idempotencyKeyOf(call, request)).toBe(`task_1:step:${key}`);
  expect(idempotencyKeyOf({ ...call, answeredFailures: 2 }, request)).toBe(`task_1:step:${key}:2`);
});
