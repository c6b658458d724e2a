import { createHmac, timingSafeEqual } from "node:crypto";
import type { SignatureScheme } from "../../contract/signature-schemes.ts";
import type { HmacOptions } from "../../contract/webhooks.ts";
import type { RequestHeaders } from "../security/redact-request.ts";

export interface SignatureSettings extends Partial<Record<keyof HmacOptions, string | undefined>> {
  scheme: SignatureScheme;
  secret: string;
  algorithm?: HmacOptions["algorithm"];
  encoding?: HmacOptions["encoding"];
}

/** What signatures cover. */
export interface ReceivedRequest {
  method: string;
  /** As the sender wrote it, with the query: behind a proxy it begins with the public URL. */
  url: string;
  headers: RequestHeaders;
  /** The received bytes: a body that was parsed and serialized again has a different signature. */
  body: Buffer;
  /** Parses the body once, though up to 200 webhooks of a source check it. */
  parsed<T>(parse: (body: Buffer) => T): T;
}

export function receivedRequest(request: Omit<ReceivedRequest, "parsed">): ReceivedRequest {
  let results: Map<unknown, unknown> | undefined;
  return {
    ...request,
    parsed<T>(parse: (body: Buffer) => T): T {
      results ??= new Map();
      if (!results.has(parse)) results.set(parse, parse(request.body));
      return results.get(parse) as T;
    },
  };
}

export interface SignatureCheck extends ReceivedRequest {
  settings: SignatureSettings;
  nowMs: number;
}

/** A valid signature returns its digest, by which a replay is recognized. */
export type Verdict = Buffer | "missing" | "invalid" | "expired";

// Recommended by Stripe, Slack, HubSpot and Standard Webhooks. Applied in both directions, because clocks differ.
const WINDOW_MS = 5 * 60 * 1000;

/** Call only after the signature was verified, which covers the timestamp. */
export function checkAge(timestamp: string, unitMs: number, nowMs: number, digest: Buffer): Verdict {
  if (!/^\d{1,15}$/.test(timestamp)) return "invalid";
  return Math.abs(nowMs - Number(timestamp) * unitMs) <= WINDOW_MS ? digest : "expired";
}

export function mac(algorithm: string, key: string | Buffer, ...parts: (string | Buffer)[]): Buffer {
  const digest = createHmac(algorithm, key);
  for (const part of parts) digest.update(part);
  return digest.digest();
}

export function matches(given: string, expected: Buffer, encoding: "hex" | "base64"): boolean {
  if (encoding === "hex") return matchesHex(given, expected);
  return /^[A-Za-z0-9+/]+={0,2}$/.test(given) && equalBytes(Buffer.from(given, "base64"), expected);
}

export function matchesHex(given: string, expected: Buffer): boolean {
  // Buffer.from silently stops at the first character that is not a hex digit.
  return (
    /^[0-9a-fA-F]+$/.test(given) &&
    given.length === 2 * expected.length &&
    equalBytes(Buffer.from(given, "hex"), expected)
  );
}

export function equalBytes(given: Buffer, expected: Buffer): boolean {
  return given.length === expected.length && timingSafeEqual(given, expected);
}

/** Compares digests: a comparison of the texts would reveal the length of the secret. */
export function equalSecrets(given: string, expected: string): boolean {
  return equalBytes(mac("sha256", "secret", given), mac("sha256", "secret", expected));
}

/** A repeated header is rejected: two parsers could pick different values. */
export function single(header: string | string[] | undefined): string | undefined {
  if (typeof header === "string") return header;
  return header?.length === 1 ? header[0] : undefined;
}

export function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString("utf8"));
  } catch {
    return undefined;
  }
}
