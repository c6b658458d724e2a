import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";

/** The values that every authenticator app supports: RFC 6238 with SHA-1, six digits and 30 seconds. */
const PERIOD_MS = 30_000;
const DIGITS = 6;
/** As long as the hash, as RFC 4226 recommends. */
const SECRET_BYTES = 20;
/** A code is accepted one step early and one late, for clocks that differ and people who type slowly. */
const TOLERATED_STEPS = [0, -1, 1];
const BASE32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/** A new secret in base 32, as authenticator apps expect it. */
export function createTotpSecret(): string {
  return toBase32(randomBytes(SECRET_BYTES));
}

/** The address in the QR code that an authenticator app scans. */
export function totpUri(secret: string, issuer: string, account: string): string {
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(account)}`;
  return `otpauth://totp/${label}?secret=${secret}&issuer=${encodeURIComponent(issuer)}`;
}

export function totpCode(secret: string, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const hash = createHmac("sha1", fromBase32(secret)).update(counter).digest();
  const offset = (hash.at(-1) ?? 0) & 15;
  const number = (hash.readUInt32BE(offset) & 0x7fff_ffff) % 10 ** DIGITS;
  return String(number).padStart(DIGITS, "0");
}

export function totpStepAt(now: number): number {
  return Math.floor(now / PERIOD_MS);
}

/** The step that this code belongs to; undefined for a wrong code. The caller must accept each step only once. */
export function findTotpStep(secret: string, code: string, now: number): number | undefined {
  const given = Buffer.from(code);
  if (given.length !== DIGITS) return undefined;
  return TOLERATED_STEPS.map((offset) => totpStepAt(now) + offset).find(
    (step) => step >= 0 && timingSafeEqual(Buffer.from(totpCode(secret, step)), given),
  );
}

/** Letters and digits in groups of five bits, without padding. */
export function toBase32(bytes: Buffer): string {
  let text = "";
  let bits = 0;
  let value = 0;
  for (const byte of bytes) {
    value = (value << 8) | byte;
    bits += 8;
    while (bits >= 5) {
      bits -= 5;
      text += BASE32.charAt((value >>> bits) & 31);
    }
    value &= (1 << bits) - 1;
  }
  return bits > 0 ? text + BASE32.charAt((value << (5 - bits)) & 31) : text;
}

function fromBase32(text: string): Buffer {
  const bytes: number[] = [];
  let bits = 0;
  let value = 0;
  for (const letter of text) {
    value = (value << 5) | BASE32.indexOf(letter);
    bits += 5;
    if (bits >= 8) {
      bits -= 8;
      bytes.push((value >>> bits) & 255);
      value &= (1 << bits) - 1;
    }
  }
  return Buffer.from(bytes);
}
