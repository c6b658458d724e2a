import { createHmac, randomBytes } from "node:crypto";

/** The Standard Webhooks specification (standardwebhooks.com), sending side. Incoming calls: server/webhooks/signatures.ts. */
const SECRET_PREFIX = "whsec_";
const SECRET_BYTES = 32;

export interface SignedMessage {
  /** The same for every attempt of one message: receivers deduplicate by it. */
  id: string;
  timestampMs: number;
  body: string;
  /** One signature each: while a secret is rotated, a receiver with either accepts the message. */
  secrets: readonly string[];
}

/** A secret in the form that the libraries of the specification accept. */
export function createSigningSecret(): string {
  return SECRET_PREFIX + randomBytes(SECRET_BYTES).toString("base64");
}

/** The headers that prove who sent the body, and when. */
export function signatureHeaders({
  id,
  timestampMs,
  body,
  secrets,
}: SignedMessage): Record<"webhook-id" | "webhook-timestamp" | "webhook-signature", string> {
  const timestamp = String(Math.floor(timestampMs / 1000));
  const signatures = secrets.map((secret) => {
    const hmac = createHmac("sha256", keyOf(secret)).update(`${id}.${timestamp}.${body}`, "utf8");
    return `v1,${hmac.digest("base64")}`;
  });
  return { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": signatures.join(" ") };
}

function keyOf(secret: string): Buffer {
  const encoded = secret.startsWith(SECRET_PREFIX) ? secret.slice(SECRET_PREFIX.length) : secret;
  return Buffer.from(encoded, "base64");
}
