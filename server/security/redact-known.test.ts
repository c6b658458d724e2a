import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { redactKnown } from "./redact-known.ts";

const secret = (length: number) => randomBytes(length).toString("base64url").slice(0, length);

test("finds each of hundreds of secrets, long and short, also encoded, and returns a clean value unchanged", async () => {
  const secrets = [
    ...Array.from({ length: 150 }, () => secret(40)),
    ...Array.from({ length: 150 }, () => secret(1500)),
    "pass",
    `-----BEGIN PRIVATE KEY-----\n${secret(60)}\n${secret(60)}\n`,
  ];
  for (const index of [0, 19, 20, 149, 150, 299, 300, 301]) {
    const hidden = secrets[index]!;
    const forms = {
      raw: `x ${hidden}`,
      basic: Buffer.from(`user:${hidden}`).toString("base64"),
      url: `https://a.example/?k=${encodeURIComponent(hidden)}`,
      [hidden]: 1,
    };
    const shown = JSON.stringify(await redactKnown(secrets, { steps: [forms] }));
    expect(shown).not.toContain(hidden.trim().slice(0, 48));
    expect(shown).not.toContain(hidden.trim().slice(-30));
    expect(shown.match(/•••/g)?.length).toBeGreaterThanOrEqual(4);
  }
  const clean = { steps: [{ url: "https://a.example", code: secret(200) }] };
  expect(await redactKnown(secrets, clean)).toBe(clean);
});

test("every secret in one value is redacted", async () => {
  const secrets = Array.from({ length: 45 }, () => secret(100));
  const shown = JSON.stringify(await redactKnown(secrets, { all: secrets.join(" ") }));
  for (const hidden of secrets) expect(shown).not.toContain(hidden);
});
