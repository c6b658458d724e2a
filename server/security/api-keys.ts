import { hash as hashOf, randomBytes, timingSafeEqual } from "node:crypto";

const SECRET_BYTES = 32;
export const KEY_PREFIX = "baton_";
const SHOWN_LENGTH = KEY_PREFIX.length + 6;

export interface NewApiKey {
  /** Shown to its owner once and never stored. */
  rawKey: string;
  hash: string;
  /** The first characters, by which the owner recognizes a key. */
  prefix: string;
}

export function createApiKey(): NewApiKey {
  const rawKey = KEY_PREFIX + createSecret();
  return { rawKey, hash: hashKey(rawKey), prefix: rawKey.slice(0, SHOWN_LENGTH) };
}

/** 256 random bits: for webhook and team secrets. */
export function createSecret(): string {
  return randomBytes(SECRET_BYTES).toString("base64url");
}

/**
 * SHA-256 suffices and a slow hash is not needed: 256 random bits cannot be guessed at any speed. It also makes the
 * lookup an index search whose timing reveals nothing about the raw key.
 */
export function hashKey(rawKey: string): string {
  return hashOf("sha256", rawKey, "hex");
}

/** Constant-time comparison: the time reveals neither the first difference nor the length of the expected text. */
export function secretsEqual(given: string, expected: string): boolean {
  return timingSafeEqual(digest(given), digest(expected));
}

function digest(text: string): Buffer {
  return hashOf("sha256", text, "buffer");
}
