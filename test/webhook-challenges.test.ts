import { createHmac } from "node:crypto";
import { expect, test } from "vitest";
import type { Clock } from "../server/lib/clock.ts";
import { publish } from "./support/endpoints.ts";
import { shareApp } from "./support/shared-app.ts";
import type { RegisteredUser } from "./support/test-app.ts";

const NOW_SECONDS = 1_900_000_000;
const clock: Clock = { now: () => NOW_SECONDS * 1000, monotonic: () => performance.now() };
const PUBLIC_URL = "https://hooks.example.com/baton";
const { app, alice, bob } = await shareApp(
  ["alice", "bob"],
  { RATE_LIMIT_WEBHOOK_PER_MINUTE: "0", PUBLIC_URL, ALLOWED_HOSTS: "127.0.0.1,localhost" },
  { clock },
);
const workflowOf = async (owner: RegisteredUser): Promise<string> =>
  (await publish(owner, { enabled: false })).id;
const workflowIds = new Map([
  [alice, await workflowOf(alice)],
  [bob, await workflowOf(bob)],
]);

let made = 0;
async function makeWebhook(scheme: string, owner = alice, source = `vendor-${++made}`): Promise<any> {
  const signature = { scheme, secret: `${scheme}-secret` };
  const response = await owner.post("/api/webhooks", {
    name: scheme,
    source,
    workflowId: workflowIds.get(owner),
    signature,
  });
  expect(response.status).toBe(201);
  return response.body.webhook;
}
const tasksOf = async (owner = alice) => (await owner.get("/api/tasks")).body.tasks.length;
const query = (fields: Record<string, string>) => new URLSearchParams(fields).toString();
const hmac = (key: string, text: string, algorithm = "sha256") => createHmac(algorithm, key).update(text);

test("[S19] Meta's check is answered with its challenge as text, if it has the secret of a meta webhook", async () => {
  const before = await tasksOf();
  const webhook = await makeWebhook("meta");
  const check = (token: string, source = webhook.source) =>
    app.anonymous.get(
      `/webhook/${source}?${query({ "hub.mode": "subscribe", "hub.verify_token": token, "hub.challenge": "115899" })}`,
    );
  const answered = await check(webhook.secret);
  expect([answered.status, answered.text]).toEqual([200, "115899"]);
  expect(answered.headers["content-type"]).toBe("text/plain; charset=utf-8");
  expect([(await check("wrong")).status, (await check("meta-secret")).status]).toEqual([401, 401]);
  const other = await makeWebhook("hmac");
  expect((await check(other.secret, other.source)).status).toBe(401);
  expect(await tasksOf()).toBe(before);
});

test("Microsoft Graph's check is answered with its token as text, without a secret, for a microsoft-graph webhook only", async () => {
  const before = await tasksOf();
  const webhook = await makeWebhook("microsoft-graph");
  const token = "Validation: <b>Testing</b> client & more";
  // Graph sends an empty text.
  const check = (url: string) =>
    app.anonymous.call(`${url}?${query({ validationToken: token })}`, {
      method: "POST",
      contentType: "text/plain; charset=utf-8",
      body: "",
    });
  for (const url of [`/webhook/${webhook.source}`, `/webhook/w/${webhook.id}`]) {
    const answered = await check(url);
    expect([answered.status, answered.text]).toEqual([200, token]);
    expect(answered.headers["content-type"]).toBe("text/plain; charset=utf-8");
    expect(answered.headers["x-content-type-options"]).toBe("nosniff");
  }
  expect((await check(`/webhook/${(await makeWebhook("hmac")).source}`)).text).not.toContain(token);
  expect(await tasksOf()).toBe(before);

  const body = (clientState: string) => ({ value: [{ clientState, resource: "me/messages" }] });
  const send = (state: string) => app.anonymous.post(`/webhook/${webhook.source}`, body(state));
  expect((await send("microsoft-graph-secret")).body.taskId).toEqual(expect.any(String));
  expect((await send("wrong")).body.error).toBe("invalid_signature");
});

test("[S19] X's check is answered by the one x webhook of the address, and its answer signs no call", async () => {
  const before = await tasksOf();
  const webhook = await makeWebhook("x", alice, "x-events");
  const check = (address: string, token: string) =>
    app.anonymous.get(`/webhook/${address}?${query({ crc_token: token })}`);
  const answered = await check("x-events", "MTY0-token_1=");
  const expected = `sha256=${hmac("x-secret", "MTY0-token_1=").digest("base64")}`;
  expect([answered.status, answered.body]).toEqual([200, { response_token: expected }]);
  expect(await tasksOf()).toBe(before);

  for (const token of ['{"forged":1}', "a b", "", "x".repeat(257)])
    expect((await check("x-events", token)).status).toBe(401);
  const forged = await app.anonymous.post("/webhook/x-events", "12345", {
    "x-twitter-webhooks-signature": (await check("x-events", "12345")).body.response_token,
  });
  expect(forged.body.error).toBe("invalid_signature");

  const theirs = await makeWebhook("x", bob, "x-events");
  expect((await check("x-events", "token")).status).toBe(401);
  for (const { id } of [webhook, theirs]) expect((await check(`w/${id}`, "token")).status).toBe(200);
});

test("[S19] Zoom's check is answered after its signature, never without one", async () => {
  const before = await tasksOf();
  const webhook = await makeWebhook("zoom");
  const body = '{"event":"endpoint.url_validation","payload":{"plainToken":"qgg8vlvZRS6UYooatFL8Aw"}}';
  const time = String(NOW_SECONDS);
  const send = (signature: string) =>
    app.anonymous.post(`/webhook/${webhook.source}`, body, {
      "x-zm-request-timestamp": time,
      "x-zm-signature": signature,
    });
  const answered = await send(`v0=${hmac("zoom-secret", `v0:${time}:${body}`).digest("hex")}`);
  expect([answered.status, answered.body]).toEqual([
    200,
    {
      plainToken: "qgg8vlvZRS6UYooatFL8Aw",
      encryptedToken: hmac("zoom-secret", "qgg8vlvZRS6UYooatFL8Aw").digest("hex"),
    },
  ]);
  expect(await tasksOf()).toBe(before);
  expect((await send(`v0=${"ab".repeat(32)}`)).body.error).toBe("invalid_signature");
  // With the secret alone it is an ordinary call: the service signs nothing.
  const bySecret = await app.anonymous.post(`/webhook/${webhook.source}`, body, {
    "x-webhook-secret": webhook.secret,
  });
  expect(bySecret.body).toEqual({ ok: true, taskId: expect.any(String) });
});

test("[S19] twilio and hubspot: the signature covers the public URL, also of a GET request", async () => {
  const twilio = await makeWebhook("twilio");
  const hubspot = await makeWebhook("hubspot");
  const path = (source: string) => `/webhook/${source}?CallSid=CA1`;
  const bySignature = (source: string, signature: string) =>
    app.anonymous.call(path(source), { method: "GET", headers: { "x-twilio-signature": signature } });
  const sign = (url: string) => hmac("twilio-secret", url, "sha1").digest("base64");
  const accepted = await bySignature(twilio.source, sign(`${PUBLIC_URL}${path(twilio.source)}`));
  expect(accepted.status).toBe(200);
  const input = (await alice.get(`/api/tasks/${accepted.body.taskId}`)).body.task.input;
  expect(input).toEqual({ CallSid: "CA1" });
  expect((await bySignature(twilio.source, sign(`http://127.0.0.1${path(twilio.source)}`))).status).toBe(403);

  const time = String(NOW_SECONDS * 1000);
  const signed = hmac("hubspot-secret", `POST${PUBLIC_URL}/webhook/${hubspot.source}[1]${time}`);
  const headers = { "x-hubspot-signature-v3": signed.digest("base64"), "x-hubspot-request-timestamp": time };
  const first = await app.anonymous.post(`/webhook/${hubspot.source}`, "[1]", headers);
  expect(first.status).toBe(200);
  const replayed = await app.anonymous.post(`/webhook/${hubspot.source}`, "[1]", headers);
  expect(replayed.body.taskId).toBe(first.body.taskId);
});
