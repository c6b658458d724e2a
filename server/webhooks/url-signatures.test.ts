import { createHash, createHmac } from "node:crypto";
import { expect, test } from "vitest";
import type { RequestHeaders } from "../security/redact-request.ts";
import { receivedRequest } from "./signature-check.ts";
import { verifySignature } from "./signatures.ts";
import { calledUrl } from "./url-signatures.ts";

const NOW = 1_760_000_000_000;
const INVALID = { ok: false, reason: "invalid" };

// The example of Twilio's own libraries.
const TWILIO_URL = "https://mycompany.com/myapp.php?foo=1&bar=2";
const TWILIO_FORM =
  "Digits=1234&CallSid=CA1234567890ABCDE&To=%2B18005551212&Caller=%2B14158675309&From=%2B14158675309";
const FORM = { "content-type": "application/x-www-form-urlencoded; charset=UTF-8" };
const JSON_TYPE = { "content-type": "application/json" };

function twilio(signature: string, body: string, url = TWILIO_URL, headers: RequestHeaders = FORM) {
  const request = receivedRequest({
    method: "POST",
    url,
    headers: { ...headers, "x-twilio-signature": signature },
    body: Buffer.from(body),
  });
  return verifySignature({ scheme: "twilio", secret: "12345" }, request, NOW);
}
const signed = (text: string) => createHmac("sha1", "12345").update(text).digest("base64");

test("twilio: the published example of a form is valid; another field, URL or secret is not", () => {
  const signature = "RSOYDt4T1cUTdK1PDd93/VVr8B8=";
  expect(twilio(signature, TWILIO_FORM)).toEqual({ ok: true });
  expect(twilio(signature, `${TWILIO_FORM}&Extra=1`)).toEqual(INVALID);
  expect(twilio(signature, TWILIO_FORM, `${TWILIO_URL}&baz=3`)).toEqual(INVALID);
  expect(twilio(signature, TWILIO_FORM, TWILIO_URL, JSON_TYPE)).toEqual(INVALID);
  expect(twilio("RSOYDt4T1cUTdK1PDd93/VVr8C8=", TWILIO_FORM)).toEqual(INVALID);
});

test("twilio: a form with more fields than a webhook takes is not sorted", () => {
  const form = (fields: number) => `a=1${"&b".repeat(fields - 1)}`;
  expect(twilio(signed(`${TWILIO_URL}a1b`), form(2))).toEqual({ ok: true });
  expect(twilio(signed(`${TWILIO_URL}a1b`), form(1500))).toEqual(INVALID);
});

test("twilio: a large form is not decoded", () => {
  const plusSigns = (count: number) => twilio(signed(TWILIO_URL + " ".repeat(count)), "+".repeat(count));
  expect(plusSigns(128 * 1024)).toEqual({ ok: true });
  expect(plusSigns(128 * 1024 + 1)).toEqual(INVALID);
});

test("twilio: the published example of a JSON body is valid; another body is not", () => {
  const body = '{"property": "value", "boolean": true}';
  const url = `${TWILIO_URL}&bodySHA256=0a1ff7634d9ab3b95db5c9a2dfe9416e41502b283a80c7cf19632632f96e6620`;
  const signature = "a9nBmqA0ju/hNViExpshrM61xv4=";
  expect(twilio(signature, body, url, JSON_TYPE)).toEqual({ ok: true });
  expect(twilio(signature, `${body} `, url, JSON_TYPE)).toEqual(INVALID);
  // The hash also counts where the fields of a form would be signed.
  expect(twilio(signature, "", url, FORM)).toEqual(INVALID);
});

test("twilio: a signature over the URL alone covers no body", () => {
  expect(twilio(signed(TWILIO_URL), "", TWILIO_URL, {})).toEqual({ ok: true });
  for (const headers of [JSON_TYPE, {}, { "content-type": "multipart/form-data; boundary=x" }])
    expect(twilio(signed(TWILIO_URL), "{}", TWILIO_URL, headers)).toEqual(INVALID);
});

test("twilio: repeated fields count once per value, sorted; the port of the URL may be left out", () => {
  expect(twilio(signed(`${TWILIO_URL}A1A2B`), "B=&A=2&A=1&A=2")).toEqual({ ok: true });
  const url = "https://mycompany.com:8443/hook:1?a=b:2";
  expect(twilio(signed("https://mycompany.com/hook:1?a=b:2"), "", url)).toEqual({ ok: true });
  expect(twilio(signed(url), "", url)).toEqual({ ok: true });
});

test("twilio: the idempotency token of a signed call is its delivery id", () => {
  const headers = { ...FORM, "i-twilio-idempotency-token": "tok-1" };
  expect(twilio("RSOYDt4T1cUTdK1PDd93/VVr8B8=", TWILIO_FORM, TWILIO_URL, headers)).toEqual({
    ok: true,
    deliveryId: "tok-1",
  });
});

test("hubspot: method, decoded URL and body are covered", () => {
  const url = "https://hooks.example.com/webhook/w/wh_1?to=a%40b%2Cc%3Fd%20e&next=%2Fx";
  const decoded = "https://hooks.example.com/webhook/w/wh_1?to=a@b,c?d%20e&next=/x";
  const signature = createHmac("sha256", "s").update(`POST${decoded}[1]${NOW}`).digest("base64");
  const check = (changes: { method?: string; url?: string; body?: string }) =>
    verifySignature(
      { scheme: "hubspot", secret: "s" },
      receivedRequest({
        method: changes.method ?? "POST",
        url: changes.url ?? url,
        headers: { "x-hubspot-signature-v3": signature, "x-hubspot-request-timestamp": String(NOW) },
        body: Buffer.from(changes.body ?? "[1]"),
      }),
      NOW,
    );
  expect(check({}).ok).toBe(true);
  expect(check({ method: "GET" })).toEqual(INVALID);
  expect(check({ url: `${url}&more=1` })).toEqual(INVALID);
  expect(check({ body: "[2]" })).toEqual(INVALID);
});

test("a body is parsed once for all webhooks that check it", () => {
  let count = 0;
  const parse = (body: Buffer) => [count++, createHash("sha256").update(body).digest("hex")];
  const request = receivedRequest({ method: "POST", url: TWILIO_URL, headers: {}, body: Buffer.from("{}") });
  expect(request.parsed(parse)).toBe(request.parsed(parse));
  expect(count).toBe(1);
});

test("a request line with a whole URL is called under the public URL", () => {
  const base = "https://hooks.example.com/baton";
  expect(calledUrl(base, "/webhook/x?a=1")).toBe(`${base}/webhook/x?a=1`);
  expect(calledUrl(base, "http://127.0.0.1:3000/webhook/x?a=http://b/c")).toBe(
    `${base}/webhook/x?a=http://b/c`,
  );
});
