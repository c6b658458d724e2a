import { createHmac } from "node:crypto";
import { expect, test } from "vitest";
import { signatureSchemes } from "../../contract/signature-schemes.ts";
import { knownDeliveryId } from "./delivery-ids.ts";
import type { RequestHeaders } from "../security/redact-request.ts";
import { receivedRequest, type SignatureSettings } from "./signature-check.ts";
import { coversUrl, verifySignature } from "./signatures.ts";

// The digests below were computed with `openssl dgst -sha256 -hmac`; GitHub's is the one in its own guide.
const BODY = Buffer.from('{"id":"evt_123","amount": 1.0}');
const SENT_AT_SECONDS = 1_760_000_000;
const NOW = SENT_AT_SECONDS * 1000 + 1000;
const WINDOW_MS = 300_000;

interface Case {
  settings: SignatureSettings;
  headers: RequestHeaders;
  body: Buffer;
  deliveryId?: string;
  /** The digest that identifies a call without a delivery id. */
  signature?: string;
}

const cases: Record<string, Case> = {
  github: {
    settings: { scheme: "github", secret: "It's a Secret to Everybody" },
    headers: {
      "x-hub-signature-256": "sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17",
      "x-github-delivery": "72d3162e-cc78-11e3-81ab-4c9367dc0958",
    },
    body: Buffer.from("Hello, World!"),
    deliveryId: "72d3162e-cc78-11e3-81ab-4c9367dc0958",
  },
  stripe: {
    settings: { scheme: "stripe", secret: "whsec_stripe" },
    headers: {
      "stripe-signature": `t=${SENT_AT_SECONDS},v1=62c2bc1f73dc8ab42f8726712dd1307ad76aaa8c8d0cfc8affb700d0f6bb0636,v0=aa`,
    },
    body: BODY,
    deliveryId: "evt_123",
  },
  slack: {
    settings: { scheme: "slack", secret: "slacksecret" },
    headers: {
      "x-slack-signature": "v0=8725ca89ca6d3ea94c68409b65e0721090d7c4cd5434478322cf0929f0c19241",
      "x-slack-request-timestamp": String(SENT_AT_SECONDS),
    },
    body: BODY,
    signature: "8725ca89ca6d3ea94c68409b65e0721090d7c4cd5434478322cf0929f0c19241",
  },
  standard: {
    settings: { scheme: "standard", secret: "whsec_c3RhbmRhcmQtc2VjcmV0LWJ5dGVzLTAwMA==" },
    headers: {
      "webhook-id": "msg_1",
      "webhook-timestamp": String(SENT_AT_SECONDS),
      "webhook-signature": "v1,rZFAXWf/O2v1RElUVRFXgsTQAZxgU2lytcn/hS+05OY=",
    },
    body: BODY,
    deliveryId: "msg_1",
  },
  hmac: {
    settings: { scheme: "hmac", secret: "s3cret" },
    headers: { "x-signature": "d873d6d175697ab0ad2174d6f4c0a3bd768b079ffb8badcb143a2a4164a04703" },
    body: BODY,
  },
  "hmac with a time": {
    settings: { scheme: "hmac", secret: "s3cret", timestampHeader: "X-Sent-At" },
    headers: {
      "x-signature": "58364328bf1922ebd9a24f373e1ee1c0b93d9019c57513cd8ae6097406ef8b71",
      "x-sent-at": String(SENT_AT_SECONDS),
    },
    body: BODY,
    signature: "58364328bf1922ebd9a24f373e1ee1c0b93d9019c57513cd8ae6097406ef8b71",
  },
  "hmac in base64 with SHA-1": {
    settings: { scheme: "hmac", secret: "s3cret", algorithm: "sha1", encoding: "base64", prefix: "mac:" },
    headers: { "x-signature": "mac:nkBX2LOgahfm1R61npmgS9mH/y4=" },
    body: BODY,
  },
  "hmac with SHA-512": {
    settings: { scheme: "hmac", secret: "s3cret", algorithm: "sha512" },
    headers: {
      "x-signature":
        "b2edbf3d61b233aae1131fcf00c324945dd4fdb3bdcbc9d024910e5d7bcbd196e8684085472700b83540651c6f6e1eb0c442b30468413c789f5a6f1d569f1823",
    },
    body: BODY,
  },
  shopify: {
    settings: { scheme: "shopify", secret: "hush" },
    headers: { "x-shopify-hmac-sha256": "qnBVEkhnXWhrkwJ6Gpps6kR5ovWKog/UFUV+41FDW78=" },
    body: BODY,
  },
  woocommerce: {
    settings: { scheme: "woocommerce", secret: "hush" },
    headers: { "x-wc-webhook-signature": "qnBVEkhnXWhrkwJ6Gpps6kR5ovWKog/UFUV+41FDW78=" },
    body: BODY,
  },
  typeform: {
    settings: { scheme: "typeform", secret: "hush" },
    headers: { "typeform-signature": "sha256=qnBVEkhnXWhrkwJ6Gpps6kR5ovWKog/UFUV+41FDW78=" },
    body: BODY,
  },
  meta: {
    settings: { scheme: "meta", secret: "meta-secret" },
    headers: {
      "x-hub-signature-256": "sha256=adea2a06fa53d97492692fd4411897e8ca628f90c8bb1099d9090e00a032abcd",
    },
    body: BODY,
  },
  x: {
    settings: { scheme: "x", secret: "x-secret" },
    headers: { "x-twitter-webhooks-signature": "sha256=6a+9t1DI4bhnDr4Uz5OKVydrU51taYnZJMbFYd8C1aI=" },
    body: BODY,
  },
  zoom: {
    settings: { scheme: "zoom", secret: "zoom-secret" },
    headers: {
      "x-zm-signature": "v0=112d0c3c17b4ff67bc61fbdbe664228a935dbd5d7c23a04465600d9e9d20c823",
      "x-zm-request-timestamp": String(SENT_AT_SECONDS),
    },
    body: BODY,
    signature: "112d0c3c17b4ff67bc61fbdbe664228a935dbd5d7c23a04465600d9e9d20c823",
  },
  hubspot: {
    settings: { scheme: "hubspot", secret: "hub-secret" },
    headers: {
      "x-hubspot-signature-v3": "RYP4dnO6ocDEusxGax8rHOsH4jjxU1fDu34pDB9KEXI=",
      "x-hubspot-request-timestamp": String(SENT_AT_SECONDS * 1000),
    },
    body: BODY,
    signature: "4583f87673baa1c0c4bacc466b1f2b1ceb07e238f15357c3bb7e290c1f4a1172",
  },
};

const URL = "https://hooks.example.com/webhook/orders";
const received = (headers: RequestHeaders, body: Buffer) =>
  receivedRequest({ method: "POST", url: URL, headers, body });

function verify(name: string, changes: Partial<Case> & { nowMs?: number } = {}) {
  const found = cases[name];
  if (!found) throw new Error(`no case ${name}`);
  const { settings, headers, body } = { ...found, ...changes };
  return verifySignature(settings, received(headers, body), changes.nowMs ?? NOW);
}

function headersOf(name: string): Record<string, string> {
  return { ...cases[name]?.headers } as Record<string, string>;
}

const names = Object.keys(cases);
const timed = ["stripe", "slack", "standard", "zoom", "hubspot", "hmac with a time"];

test.each(names)("%s: a valid signature is accepted and returns the delivery id", (name) => {
  const { deliveryId, signature } = cases[name] ?? {};
  expect(verify(name)).toEqual({
    ok: true,
    ...(deliveryId === undefined ? {} : { deliveryId }),
    ...(signature === undefined ? {} : { signature }),
  });
});

test.each(names)("%s: a wrong secret, a different body and an empty body are invalid", (name) => {
  const settings = cases[name]?.settings;
  if (!settings) throw new Error("no settings");
  const invalid = { ok: false, reason: "invalid" };
  expect(verify(name, { settings: { ...settings, secret: "another" } })).toEqual(invalid);
  expect(verify(name, { body: Buffer.concat([cases[name]?.body ?? BODY, Buffer.from(" ")]) })).toEqual(
    invalid,
  );
  expect(verify(name, { body: Buffer.alloc(0) })).toEqual(invalid);
});

test.each(names.filter((name) => name !== "github"))("%s: a re-serialized body is invalid", (name) => {
  const rewritten = Buffer.from(JSON.stringify(JSON.parse(BODY.toString())));
  expect(rewritten.equals(BODY)).toBe(false);
  expect(verify(name, { body: rewritten })).toEqual({ ok: false, reason: "invalid" });
});

test.each(names)("%s: without its headers the signature is missing", (name) => {
  expect(verify(name, { headers: {} })).toEqual({ ok: false, reason: "missing" });
  expect(verify(name, { headers: { "x-other": "1" } })).toEqual({ ok: false, reason: "missing" });
});

test.each(timed)("%s: without one of its headers the signature is missing", (name) => {
  for (const header of Object.keys(headersOf(name))) {
    const { [header]: _removed, ...headers } = headersOf(name);
    expect(verify(name, { headers }), header).toEqual({ ok: false, reason: "missing" });
  }
});

test.each(timed)("%s: a timestamp up to five minutes off is valid, a second more is expired", (name) => {
  const sentAt = SENT_AT_SECONDS * 1000;
  expect(verify(name, { nowMs: sentAt + WINDOW_MS }).ok).toBe(true);
  expect(verify(name, { nowMs: sentAt - WINDOW_MS }).ok).toBe(true);
  const expired = { ok: false, reason: "expired" };
  expect(verify(name, { nowMs: sentAt + WINDOW_MS + 1000 })).toEqual(expired);
  expect(verify(name, { nowMs: sentAt - WINDOW_MS - 1000 })).toEqual(expired);
});

test.each(timed)("%s: an old delivery with a replaced timestamp is invalid", (name) => {
  const later = SENT_AT_SECONDS + 3600;
  const headers = Object.fromEntries(
    Object.entries(headersOf(name)).map(([header, value]) => [
      header,
      value.replaceAll(String(SENT_AT_SECONDS), String(later)),
    ]),
  );
  expect(verify(name, { headers, nowMs: later * 1000 })).toEqual({ ok: false, reason: "invalid" });
});

test("only signatures of Twilio and HubSpot cover the URL, so only they sign a request without a body", () => {
  expect(signatureSchemes.filter(coversUrl).toSorted()).toEqual(["hubspot", "twilio"]);
});

test("standard: a signed call whose id cannot be stored is known by its signature", () => {
  const id = "x".repeat(256);
  const digest = createHmac("sha256", "secret").update(`${id}.${SENT_AT_SECONDS}.`).update(BODY).digest();
  const headers = {
    "webhook-id": id,
    "webhook-timestamp": String(SENT_AT_SECONDS),
    "webhook-signature": `v1,${digest.toString("base64")}`,
  };
  expect(verify("standard", { settings: { scheme: "standard", secret: "secret" }, headers })).toEqual({
    ok: true,
    signature: digest.toString("hex"),
  });
});

test("standard: a different id with the same signature is invalid", () => {
  const headers = { ...headersOf("standard"), "webhook-id": "msg_2" };
  expect(verify("standard", { headers })).toEqual({ ok: false, reason: "invalid" });
});

const malformed: (string | string[])[] = [
  "",
  "=",
  ",",
  "t=",
  "t=,v1=",
  "v1",
  "v1,",
  "v1,!!!",
  "v0=",
  "v0",
  "sha256=",
  "sha1=757107ea",
  "zz".repeat(32),
  "ab".repeat(31),
  "ab".repeat(33),
  `t=NaN,v1=${"ab".repeat(32)}`,
  `t=${"9".repeat(400)},v1=${"ab".repeat(32)}`,
  "\0",
  "🔑".repeat(50),
  "v1=".repeat(10_000),
  "v1,aaaa ".repeat(10_000),
  [],
  ["a", "b"],
];

test.each(names)("%s: malformed headers are rejected and never throw", (name) => {
  for (const header of Object.keys(headersOf(name)).filter((key) => key !== "x-github-delivery")) {
    for (const value of malformed) {
      const result = verify(name, { headers: { ...headersOf(name), [header]: value } });
      expect(result, `${header}: ${String(value).slice(0, 40)}`).toEqual({ ok: false, reason: "invalid" });
    }
  }
});

test.each(names)("%s: a repeated signature header is rejected", (name) => {
  for (const [header, value] of Object.entries(headersOf(name))) {
    if (header === "x-github-delivery") continue;
    const headers: RequestHeaders = { ...headersOf(name), [header]: [value, value] };
    expect(verify(name, { headers }).ok, header).toBe(false);
  }
});

test("a timestamp that is not a plain number is invalid, even with a valid signature", () => {
  for (const timestamp of ["", "now", "-5", "1e9", " 1760000000", "NaN", "9".repeat(40)]) {
    const digest = createHmac("sha256", "slacksecret").update(`v0:${timestamp}:`).update(BODY).digest("hex");
    const headers = { "x-slack-signature": `v0=${digest}`, "x-slack-request-timestamp": timestamp };
    expect(verify("slack", { headers })).toEqual({ ok: false, reason: "invalid" });
  }
});

test("during a secret rotation, one valid signature among several is sufficient", () => {
  const wrong = "ab".repeat(32);
  const stripe = headersOf("stripe")["stripe-signature"]?.replace(",v1=", `,v1=${wrong},v1=`) ?? "";
  expect(verify("stripe", { headers: { "stripe-signature": stripe } }).ok).toBe(true);
  const standard = headersOf("standard");
  standard["webhook-signature"] = `v1a,xxxx v1,AAAA ${standard["webhook-signature"]}`;
  expect(verify("standard", { headers: standard }).ok).toBe(true);
});

test("standard: a secret without the whsec_ prefix is used as is", () => {
  expect(
    verify("standard", { settings: { scheme: "standard", secret: "standard-secret-bytes-000" } }).ok,
  ).toBe(true);
});

test("hmac: the header name is configurable, case-insensitive, and its value may have the sha256= prefix", () => {
  const settings: SignatureSettings = { scheme: "hmac", secret: "s3cret", header: "X-My-Signature" };
  const signature = headersOf("hmac")["x-signature"] ?? "";
  for (const value of [signature, signature.toUpperCase(), `sha256=${signature}`])
    expect(verify("hmac", { settings, headers: { "x-my-signature": value } }).ok).toBe(true);
  expect(verify("hmac", { settings, headers: { "x-my-signature": `${signature}zz` } }).ok).toBe(false);
  expect(verify("hmac", { settings })).toEqual({ ok: false, reason: "missing" });
  expect(verify("hmac", { settings: { ...settings, header: "constructor" } }).ok).toBe(false);
});

test("typeform and woocommerce: prefix and encoding are exact, and options of the webhook do not apply", () => {
  const signature = createHmac("sha256", "k").update(BODY).digest("base64");
  const isValid = (scheme: SignatureSettings["scheme"], headers: RequestHeaders, options = {}) =>
    verifySignature({ scheme, secret: "k", ...options }, received(headers, BODY), NOW).ok;
  const typeform = (value: string, options = {}) =>
    isValid("typeform", { "typeform-signature": value }, options);
  const woocommerce = (value: string, options = {}) =>
    isValid("woocommerce", { "x-wc-webhook-signature": value }, options);
  expect([typeform(`sha256=${signature}`), typeform(signature)]).toEqual([true, false]);
  // Buffer.from would skip what is not base64.
  expect([woocommerce(signature), woocommerce(`${signature}!`), woocommerce(` ${signature}`)]).toEqual([
    true,
    false,
    false,
  ]);
  const options = { header: "x-other", timestampHeader: "x-time", algorithm: "sha512", encoding: "hex" };
  expect([typeform(`sha256=${signature}`, options), woocommerce(signature, options)]).toEqual([true, true]);
});

test("an empty secret rejects everything, even a body signed with it", () => {
  const digest = createHmac("sha256", "").update(BODY).digest("hex");
  const settings: SignatureSettings = { scheme: "hmac", secret: "" };
  expect(verify("hmac", { settings, headers: { "x-signature": digest } }).ok).toBe(false);
  const signed = createHmac("sha256", "").update(`msg_1.${SENT_AT_SECONDS}.`).update(BODY).digest("base64");
  const headers = { ...headersOf("standard"), "webhook-signature": `v1,${signed}` };
  expect(verify("standard", { settings: { scheme: "standard", secret: "whsec_" }, headers }).ok).toBe(false);
});

test("stripe: a signed body that is not an event has no delivery id", () => {
  for (const text of ["not json", "null", "[]", "{}", '{"id":7}', '{"id":"cus_1"}']) {
    const body = Buffer.from(text);
    const digest = createHmac("sha256", "whsec_stripe")
      .update(`${SENT_AT_SECONDS}.`)
      .update(body)
      .digest("hex");
    const headers = { "stripe-signature": `t=${SENT_AT_SECONDS},v1=${digest}` };
    expect(verify("stripe", { headers, body })).toEqual({ ok: true, signature: digest });
  }
});

test("svix: the published example is valid, by its own headers", () => {
  const headers = {
    "svix-id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
    "svix-timestamp": "1614265330",
    "svix-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
  };
  const settings: SignatureSettings = { scheme: "svix", secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw" };
  const body = Buffer.from('{"test": 2432232314}');
  const nowMs = 1614265330_000;
  expect(verifySignature(settings, received(headers, body), nowMs)).toEqual({
    ok: true,
    deliveryId: "msg_p5jXN8AQM9LWM0D4loKWxJek",
  });
  expect(verifySignature(settings, received(headers, Buffer.from("{}")), nowMs).ok).toBe(false);
  expect(verifySignature(settings, received(headers, body), nowMs + WINDOW_MS + 1)).toEqual({
    ok: false,
    reason: "expired",
  });
});

test("bearer: only the exact token is valid", () => {
  const settings: SignatureSettings = { scheme: "bearer", secret: "tok-123" };
  const check = (headers: RequestHeaders) => verifySignature(settings, received(headers, BODY), NOW);
  expect(check({ authorization: "Bearer tok-123" })).toEqual({ ok: true });
  expect(check({})).toEqual({ ok: false, reason: "missing" });
  for (const authorization of [
    "",
    "Bearer",
    "Bearer ",
    "tok-123",
    "Basic tok-123",
    "Bearer tok-1234",
    ["a", "b"],
  ])
    expect(check({ authorization })).toEqual({ ok: false, reason: "invalid" });
});

test("slack, typeform and shopify: the vendor's id is the delivery id", () => {
  const body = Buffer.from('{"event_id":"Ev1"}');
  const text = body.toString();
  const base64 = createHmac("sha256", "k").update(text).digest("base64");
  const slack = createHmac("sha256", "k").update(`v0:${SENT_AT_SECONDS}:${text}`).digest("hex");
  const samples: [SignatureSettings["scheme"], RequestHeaders, string][] = [
    [
      "slack",
      { "x-slack-signature": `v0=${slack}`, "x-slack-request-timestamp": String(SENT_AT_SECONDS) },
      "Ev1",
    ],
    ["typeform", { "typeform-signature": `sha256=${base64}` }, "Ev1"],
    ["shopify", { "x-shopify-hmac-sha256": base64, "x-shopify-webhook-id": "b-1" }, "b-1"],
  ];
  for (const [scheme, headers, deliveryId] of samples)
    expect(verifySignature({ scheme, secret: "k" }, received(headers, body), NOW)).toEqual({
      ok: true,
      deliveryId,
    });
});

test("x: an answer to the check of the URL is no signature of a body", () => {
  for (const body of ["12345", "true", "token", '"token"'].map((text) => Buffer.from(text))) {
    const digest = createHmac("sha256", "x-secret").update(body).digest("base64");
    const headers = { "x-twitter-webhooks-signature": `sha256=${digest}` };
    expect(verify("x", { headers, body })).toEqual({ ok: false, reason: "invalid" });
  }
});

test("microsoft-graph: every notification needs the client state", () => {
  const settings: SignatureSettings = { scheme: "microsoft-graph", secret: "our-state" };
  const check = (body: unknown) =>
    verifySignature(settings, received({}, Buffer.from(JSON.stringify(body))), NOW);
  const ours = { clientState: "our-state", resource: "me/messages" };
  expect(check({ value: [ours, ours] })).toEqual({ ok: true });
  expect(check({ value: [ours, { ...ours, clientState: "other" }] })).toEqual({
    ok: false,
    reason: "invalid",
  });
  expect(check({ value: [ours, { resource: "me/messages" }] })).toEqual({ ok: false, reason: "invalid" });
  for (const unsigned of [
    { value: [] },
    { value: [{}] },
    { value: [null, "our-state"] },
    {},
    [],
    null,
    { value: "our-state" },
  ])
    expect(check(unsigned)).toEqual({ ok: false, reason: "missing" });
});

test("delivery ids of known vendors are found without a signature", () => {
  expect(knownDeliveryId({ "x-github-delivery": "g-1" }, {})).toBe("g-1");
  expect(knownDeliveryId({ "webhook-id": "msg_1" }, {})).toBe("msg_1");
  expect(knownDeliveryId({ "stripe-signature": "t=1" }, { id: "evt_1" })).toBe("evt_1");
  expect(knownDeliveryId({}, { id: "evt_1" })).toBeUndefined();
  expect(knownDeliveryId({ "stripe-signature": "t=1" }, null)).toBeUndefined();
  expect(knownDeliveryId({ "x-github-delivery": ["a", "b"] }, {})).toBeUndefined();
  expect(knownDeliveryId({ "webhook-id": "x".repeat(256) }, {})).toBeUndefined();
  expect(knownDeliveryId({ "webhook-id": "" }, {})).toBeUndefined();
});
