import { hash as hashOf, randomBytes, timingSafeEqual } from "node:crypto";

const SECRET_BYTES = 32;
const KEY_PREFIX = "baton_";
const SHOWN_LENGTH = KEY_PREFIX.length + 6;

export interface NewApiKey {
  /** Shown to its owner once and kept nowhere. */
  rawKey: string;
  hash: string;
  /** The first characters, by which the owner tells keys apart. */
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
 * A plain SHA-256 is enough here and a slow hash is not needed: 256 random bits cannot be guessed at any
 * speed. It also makes the lookup an index search whose timing tells nothing about the raw key.
 */
export function hashKey(rawKey: string): string {
  return hashOf("sha256", rawKey, "hex");
}

/** Compares in a time that depends on neither where the texts differ nor how long the right one is. */
export function secretsEqual(given: string, expected: string): boolean {
  return timingSafeEqual(digest(given), digest(expected));
}

function digest(text: string): Buffer {
  return hashOf("sha256", text, "buffer");
}
