import { createHmac, generateKeyPairSync, sign } from "node:crypto";
import { expect, test } from "vitest";
import { createTokens } from "./tokens.ts";

const SECRET = "a secret that is long enough for 256 bits";
const NOW = Date.UTC(2026, 0, 15, 12);
const DAY_MS = 24 * 60 * 60 * 1000;
const clockAt = (now: number) => ({ now: () => now, monotonic: () => now });
const tokens = createTokens({ secrets: [SECRET], clock: clockAt(NOW) });

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
const goodHeader = { alg: "HS256", typ: "JWT" };
const goodClaims = {
  sub: "user_1",
  iss: "baton",
  aud: "baton",
  iat: Math.floor(NOW / 1000),
  exp: Math.floor((NOW + DAY_MS) / 1000),
};

/** A token made with node:crypto only, so that the tests do not depend on the library they check. */
function forge(header: object, claims: object, secret: string | Buffer = SECRET, hash = "sha256"): string {
  const signed = `${encode(header)}.${encode(claims)}`;
  return `${signed}.${createHmac(hash, secret).update(signed).digest("base64url")}`;
}

const { publicKey, privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
const publicPem = publicKey.export({ type: "spki", format: "pem" }).toString();

function signWithRsa(): string {
  const signed = `${encode({ alg: "RS256", typ: "JWT" })}.${encode(goodClaims)}`;
  return `${signed}.${sign("sha256", Buffer.from(signed), privateKey).toString("base64url")}`;
}

test("an issued token verifies to its user until seven days have passed", async () => {
  const token = await tokens.issue("user_1", "login_1");
  const claims = { userId: "user_1", sessionId: "login_1", issuedAt: Math.floor(NOW / 1000) * 1000 };
  expect(await tokens.verify(token)).toEqual(claims);
  const at = (now: number) => createTokens({ secrets: [SECRET], clock: clockAt(now) });
  expect(await at(NOW + 7 * DAY_MS - 1000).verify(token)).toEqual(claims);
  await expect(at(NOW + 7 * DAY_MS + 1000).verify(token)).rejects.toMatchObject({ code: "invalid_token" });
});

test("a token made by hand in the same way verifies, so each rejection below has one cause", async () => {
  expect(await tokens.verify(forge(goodHeader, goodClaims))).toMatchObject({
    userId: "user_1",
    sessionId: undefined,
  });
});

const { exp: _exp, ...withoutExpiry } = goodClaims;
const { sub: _sub, ...withoutSubject } = goodClaims;

test.each<[string, string]>([
  ["alg none without a signature", `${encode({ alg: "none" })}.${encode(goodClaims)}.`],
  ["alg none with a signature", forge({ alg: "none" }, goodClaims)],
  ["alg NONE in capitals", `${encode({ alg: "NONE" })}.${encode(goodClaims)}.`],
  ["no alg at all", forge({ typ: "JWT" }, goodClaims)],
  ["HS384 with our own secret", forge({ alg: "HS384" }, goodClaims, SECRET, "sha384")],
  ["HS512 with our own secret", forge({ alg: "HS512" }, goodClaims, SECRET, "sha512")],
  ["RS256 by a stranger's key", signWithRsa()],
  ["RS256 in the header over an HMAC", forge({ alg: "RS256" }, goodClaims)],
  ["HS256 with a public key as secret", forge(goodHeader, goodClaims, publicPem)],
  ["another secret", forge(goodHeader, goodClaims, "some other secret of a decent length")],
  ["an empty secret", forge(goodHeader, goodClaims, "")],
  ["kid naming an empty file", forge({ ...goodHeader, kid: "../../../dev/null" }, goodClaims, "")],
  ["kid with SQL", forge({ ...goodHeader, kid: "x' union select 'k" }, goodClaims, "k")],
  ["jwk of its own", forge({ ...goodHeader, jwk: { kty: "oct", k: "aw" } }, goodClaims, "k")],
  ["jku of its own", forge({ ...goodHeader, jku: "https://evil.example/keys" }, goodClaims, "k")],
  ["an unknown critical header", forge({ ...goodHeader, crit: ["x"], x: 1 }, goodClaims)],
  ["expired", forge(goodHeader, { ...goodClaims, exp: goodClaims.iat - 1 })],
  ["no expiry", forge(goodHeader, withoutExpiry)],
  ["an expiry that is text", forge(goodHeader, { ...goodClaims, exp: "never" })],
  ["not valid yet", forge(goodHeader, { ...goodClaims, nbf: goodClaims.iat + 60 })],
  ["wrong issuer", forge(goodHeader, { ...goodClaims, iss: "someone" })],
  ["wrong audience", forge(goodHeader, { ...goodClaims, aud: "someone" })],
  ["no subject", forge(goodHeader, withoutSubject)],
  ["an empty subject", forge(goodHeader, { ...goodClaims, sub: "" })],
  ["a subject that is no text", forge(goodHeader, { ...goodClaims, sub: 7 })],
  ["a session that is no text", forge(goodHeader, { ...goodClaims, sid: 7 })],
  ["claims that are no object", `${encode(goodHeader)}.${encode("text")}.AAAA`],
  ["empty", ""],
  ["garbage", "garbage"],
  ["two dots", ".."],
  ["not base64", "%%%.%%%.%%%"],
  ["an API key", "baton_abcdefghijklmnopqrstuvwxyz"],
])("[S22] rejected: %s", async (_name, token) => {
  await expect(tokens.verify(token)).rejects.toMatchObject({ name: "AppError", code: "invalid_token" });
});

test("a token whose claims were changed after signing is rejected", async () => {
  const [header, , signature] = (await tokens.issue("user_1", "login_1")).split(".");
  const changed = `${header}.${encode({ ...goodClaims, sub: "user_2" })}.${signature}`;
  await expect(tokens.verify(changed)).rejects.toMatchObject({ code: "invalid_token" });
});

const NEW_SECRET = "another secret that is long enough for this";
const rotated = createTokens({ secrets: [NEW_SECRET, SECRET], clock: clockAt(NOW) });
const kidOf = (token: string) =>
  (JSON.parse(Buffer.from(token.split(".")[0] ?? "", "base64url").toString()) as { kid?: string }).kid;

test("after a rotation the newest secret signs, and tokens of the previous one verify", async () => {
  const before = await tokens.issue("user_1", "login_1");
  const after = await rotated.issue("user_1", "login_2");
  expect(kidOf(after)).not.toBe(kidOf(before));
  expect(await rotated.verify(before)).toMatchObject({ sessionId: "login_1" });
  expect(await rotated.verify(after)).toMatchObject({ sessionId: "login_2" });
  await expect(tokens.verify(after)).rejects.toMatchObject({ code: "invalid_token" });
  const finished = createTokens({ secrets: [NEW_SECRET], clock: clockAt(NOW) });
  await expect(finished.verify(before)).rejects.toMatchObject({ code: "invalid_token" });
});

test("a token without a key id is verified with every secret", async () => {
  expect(await rotated.verify(forge(goodHeader, goodClaims))).toMatchObject({ userId: "user_1" });
  expect(await rotated.verify(forge(goodHeader, goodClaims, NEW_SECRET))).toMatchObject({ userId: "user_1" });
});

test("[S22] a key id chooses among our own secrets only", async () => {
  const kid = kidOf(await rotated.issue("user_1", "login_1"));
  // Signed with a secret that is valid, under the id of another one.
  const crossed = forge({ ...goodHeader, kid }, goodClaims, SECRET);
  await expect(rotated.verify(crossed)).rejects.toMatchObject({ code: "invalid_token" });
});
