import { createHmac } from "node:crypto";
import { expect, test } from "vitest";
import type { Clock } from "../server/lib/clock.ts";
import { publish } from "./support/endpoints.ts";
import { shareApp } from "./support/shared-app.ts";
import { type RegisteredUser } from "./support/test-app.ts";

const NOW_SECONDS = 1_900_000_000;
const clock: Clock = { now: () => NOW_SECONDS * 1000, monotonic: () => performance.now() };
// Written as no serialiser would: a body that was parsed and written again has another signature.
const BODY = '{ "id": "evt_1",\n  "amount": 1.0 }';

const { app, alice, bob } = await shareApp(
  ["alice", "bob"],
  { RATE_LIMIT_WEBHOOK_PER_MINUTE: "0" },
  { clock },
);

type Headers = Record<string, string>;
interface Scheme {
  signature: { scheme: string; secret: string; header?: string };
  sign(body: string, seconds?: number, id?: string): Headers;
}

const hex = (secret: string | Buffer, text: string) =>
  createHmac("sha256", secret).update(text).digest("hex");
const schemes: Scheme[] = [
  {
    signature: { scheme: "github", secret: "gh-secret" },
    sign: (body) => ({ "x-hub-signature-256": `sha256=${hex("gh-secret", body)}` }),
  },
  {
    signature: { scheme: "hmac", secret: "own-secret", header: "X-Shop-Mac" },
    sign: (body) => ({ "x-shop-mac": hex("own-secret", body) }),
  },
  {
    signature: { scheme: "stripe", secret: "whsec_stripe" },
    sign: (body, t = NOW_SECONDS) => ({
      "stripe-signature": `t=${t},v1=${hex("whsec_stripe", `${t}.${body}`)}`,
    }),
  },
  {
    signature: { scheme: "slack", secret: "slack-secret" },
    sign: (body, t = NOW_SECONDS) => ({
      "x-slack-request-timestamp": String(t),
      "x-slack-signature": `v0=${hex("slack-secret", `v0:${t}:${body}`)}`,
    }),
  },
  {
    signature: { scheme: "standard", secret: `whsec_${Buffer.from("standard-secret").toString("base64")}` },
    sign: (body, t = NOW_SECONDS, id = "msg_1") => ({
      "webhook-id": id,
      "webhook-timestamp": String(t),
      "webhook-signature": `v1,${createHmac("sha256", "standard-secret").update(`${id}.${t}.${body}`).digest("base64")}`,
    }),
  },
];

let made = 0;
async function makeWebhook(signature: unknown, owner = alice, source = `signed-${++made}`) {
  const { id: workflowId } = await publish(owner, { enabled: false });
  const response = await owner.post("/api/webhooks", { name: "Signed", source, workflowId, signature });
  expect(response.status).toBe(201);
  return response.body.webhook;
}
const send = (source: string, body: string, headers: Headers) =>
  app.anonymous.post(`/webhook/${source}`, body, headers);
const deliveriesOf = async (owner: RegisteredUser, id: string) =>
  (await owner.get(`/api/webhooks/${id}/deliveries`)).body.deliveries;

test.each(schemes)(
  "[S19] a signature of $signature.scheme replaces the secret",
  async ({ signature, sign }) => {
    const webhook = await makeWebhook(signature);
    const { secret: _secret, ...shown } = signature;
    expect(webhook.signature).toEqual(shown);
    const response = await send(webhook.source, BODY, sign(BODY));
    expect(response.status).toBe(200);
    const [delivery] = await deliveriesOf(alice, webhook.id);
    expect(delivery).toMatchObject({
      status: "accepted",
      taskId: response.body.taskId,
      body: JSON.parse(BODY),
    });
    for (const value of Object.values(sign(BODY))) {
      if (value.length > 20) expect(JSON.stringify(delivery)).not.toContain(value);
    }
  },
);

test.each(schemes)(
  "[S19] $signature.scheme: a changed or re-serialised body, a wrong and a missing signature fail",
  async ({ signature, sign }) => {
    const webhook = await makeWebhook(signature);
    const reserialised = JSON.stringify(JSON.parse(BODY));
    for (const body of [reserialised, `${BODY} `]) {
      const response = await send(webhook.source, body, sign(BODY));
      expect(response.status).toBe(403);
      expect(response.body.error).toBe("invalid_signature");
    }
    const missing = await send(webhook.source, BODY, {});
    expect(missing.status).toBe(401);
    expect(missing.body.error).toBe("missing_secret");
    const noted = await deliveriesOf(alice, webhook.id);
    expect(noted.map(({ reason }: { reason: string }) => reason)).toEqual([
      "missing_signature",
      "invalid_signature",
    ]);
    expect(noted[1]).toMatchObject({
      status: "rejected",
      reason: "invalid_signature",
      headers: {},
      body: null,
    });
    const again = await alice.post(`/api/webhooks/${webhook.id}/deliveries/${noted[1].id}/redeliver`);
    expect(again.status).toBe(409);
    expect(again.body.error).toBe("delivery_not_kept");
  },
);

test.each(schemes.filter(({ signature }) => !["github", "hmac"].includes(signature.scheme)))(
  "[S19] $signature.scheme: a signature that is too old or from the future fails",
  async ({ signature, sign }) => {
    const webhook = await makeWebhook(signature);
    for (const seconds of [NOW_SECONDS - 301, NOW_SECONDS + 301]) {
      expect((await send(webhook.source, BODY, sign(BODY, seconds))).body.error).toBe("invalid_signature");
    }
    expect((await deliveriesOf(alice, webhook.id))[0].reason).toBe("expired_signature");
  },
);

test("[S19] a delivery replayed with its id starts no second task", async () => {
  const [github, , stripe, , standard] = schemes as [Scheme, Scheme, Scheme, Scheme, Scheme];
  for (const { signature, headers } of [
    { signature: github.signature, headers: { ...github.sign(BODY), "x-github-delivery": "d-1" } },
    { signature: stripe.signature, headers: stripe.sign(BODY) },
    { signature: standard.signature, headers: standard.sign(BODY) },
  ]) {
    const webhook = await makeWebhook(signature);
    const first = await send(webhook.source, BODY, headers);
    const replayed = await send(webhook.source, BODY, headers);
    expect(replayed.status).toBe(200);
    expect(replayed.body.taskId).toBe(first.body.taskId);
    expect((await deliveriesOf(alice, webhook.id))[0].reason).toBe("duplicate");
  }
});

test("[S19] an Idempotency-Key cannot make a replayed signature start a second task", async () => {
  const [github, , stripe, slack] = schemes as [Scheme, Scheme, Scheme, Scheme];
  const timed = { scheme: "hmac", secret: "own", timestampHeader: "X-Sent-At" };
  const time = String(NOW_SECONDS);
  for (const { signature, headers } of [
    { signature: github.signature, headers: { ...github.sign(BODY), "x-github-delivery": "d-1" } },
    { signature: stripe.signature, headers: stripe.sign(BODY) },
    { signature: slack.signature, headers: slack.sign(BODY) },
    { signature: timed, headers: { "x-signature": hex("own", `${time}.${BODY}`), "x-sent-at": time } },
  ]) {
    const webhook = await makeWebhook(signature);
    const first = await send(webhook.source, BODY, { ...headers, "idempotency-key": "one" });
    expect(first.status).toBe(200);
    const replayed = await send(webhook.source, BODY, { ...headers, "idempotency-key": "two" });
    expect([replayed.status, replayed.body.taskId]).toEqual([200, first.body.taskId]);
  }
});

test("[S19] a signed delivery id that was seen returns the first task, whatever the body", async () => {
  const [, , stripe, slack, standard] = schemes as [Scheme, Scheme, Scheme, Scheme, Scheme];
  const event = '{"event_id":"Ev1","retry":0}';
  for (const { signature, sign, bodies } of [
    { ...stripe, bodies: [BODY, '{"id":"evt_1","pending_webhooks":0}'] },
    { ...standard, bodies: [BODY, "{}"] },
    { ...slack, bodies: [event, event.replace("0", "1")] },
  ]) {
    const webhook = await makeWebhook(signature);
    const [first, second] = [
      await send(webhook.source, bodies[0] as string, sign(bodies[0] as string)),
      await send(webhook.source, bodies[1] as string, sign(bodies[1] as string, NOW_SECONDS + 60)),
    ];
    expect(first.status).toBe(200);
    expect([second.status, second.body.taskId]).toEqual([200, first.body.taskId]);
    expect((await deliveriesOf(alice, webhook.id))[0].reason).toBe("duplicate");
  }
});

test("hmac: prefix, algorithm, encoding and time are stored, shown and applied", async () => {
  const shown = {
    scheme: "hmac",
    header: "X-Mac",
    prefix: "mac:",
    algorithm: "sha512",
    encoding: "base64",
    timestampHeader: "X-Time",
  };
  const webhook = await makeWebhook({ ...shown, secret: "own" });
  expect((await alice.get(`/api/webhooks/${webhook.id}`)).body.webhook.signature).toEqual(shown);
  const signed = (time: number) => ({
    "x-time": String(time),
    "x-mac": `mac:${createHmac("sha512", "own").update(`${time}.${BODY}`).digest("base64")}`,
  });
  expect((await send(webhook.source, BODY, signed(NOW_SECONDS))).status).toBe(200);
  expect((await send(webhook.source, BODY, signed(NOW_SECONDS - 301))).body.error).toBe("invalid_signature");
  const noPrefix = { ...signed(NOW_SECONDS), "x-mac": signed(NOW_SECONDS)["x-mac"].slice("mac:".length) };
  expect((await send(webhook.source, BODY, noPrefix)).body.error).toBe("invalid_signature");
});

test("Slack's check of the URL is answered with its challenge and starts no task", async () => {
  const slack = schemes.find(({ signature }) => signature.scheme === "slack") as Scheme;
  const webhook = await makeWebhook(slack.signature);
  const body = '{"token":"t","challenge":"3eZbrw1aB","type":"url_verification"}';
  const checked = await send(webhook.source, body, slack.sign(body));
  expect([checked.status, checked.body]).toEqual([200, { challenge: "3eZbrw1aB" }]);
  expect((await deliveriesOf(alice, webhook.id))[0]).toMatchObject({
    status: "accepted",
    reason: "challenge",
    taskId: null,
  });
  expect((await send(webhook.source, body, slack.sign("{}"))).body.error).toBe("invalid_signature");
  // Without the signature it is an ordinary call.
  const bySecret = await send(webhook.source, body, { "x-webhook-secret": webhook.secret });
  expect(bySecret.body).toEqual({ ok: true, taskId: expect.any(String) });
});

test("the secret alone authorizes a call of a signed webhook, but not together with a wrong signature", async () => {
  const [github] = schemes as [Scheme];
  const webhook = await makeWebhook(github.signature);
  const secret = { "x-webhook-secret": webhook.secret };
  expect((await send(webhook.source, BODY, secret)).status).toBe(200);
  expect((await send(webhook.source, BODY, { ...secret, ...github.sign(BODY) })).status).toBe(200);
  const changed = await send(webhook.source, BODY, { ...secret, ...github.sign("other") });
  expect(changed.body.error).toBe("invalid_signature");
  const wrongSecret = await send(webhook.source, BODY, { "x-webhook-secret": "wrong", ...github.sign(BODY) });
  expect(wrongSecret.body.error).toBe("invalid_secret");
});

test("owners who share a source are distinguished by their signatures and cannot see each other's calls", async () => {
  const sign = (secret: string) => ({ "x-signature": hex(secret, BODY) });
  const mine = await makeWebhook({ scheme: "hmac", secret: "alice's" }, alice, "shared");
  const theirs = await makeWebhook({ scheme: "hmac", secret: "bob's" }, bob, "shared");
  expect((await send("shared", BODY, sign("bob's"))).status).toBe(200);
  expect(await deliveriesOf(alice, mine.id)).toEqual([]);
  expect(await deliveriesOf(bob, theirs.id)).toHaveLength(1);
  expect((await send("shared", BODY, sign("nobody's"))).status).toBe(403);
  for (const [owner, { id }] of [
    [alice, mine],
    [bob, theirs],
  ] as const) {
    expect((await deliveriesOf(owner, id))[0]).toMatchObject({ status: "rejected", headers: {}, body: null });
  }
});

test("an update replaces and removes a signature", async () => {
  const [github] = schemes as [Scheme];
  const webhook = await makeWebhook(github.signature);
  const url = `/api/webhooks/${webhook.id}`;
  const kept = await alice.patch(url, { name: "Renamed" });
  expect(kept.body.webhook.signature).toEqual({ scheme: "github" });
  await alice.patch(url, { signature: { scheme: "github", secret: "new" } });
  expect((await send(webhook.source, BODY, github.sign(BODY))).status).toBe(403);
  const signed = { "x-hub-signature-256": `sha256=${hex("new", BODY)}` };
  expect((await send(webhook.source, BODY, signed)).status).toBe(200);
  expect((await alice.patch(url, { signature: null })).body.webhook.signature).toBeNull();
  expect((await send(webhook.source, BODY, signed)).body.error).toBe("missing_secret");
});
