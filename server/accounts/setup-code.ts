import { createHmac, timingSafeEqual } from "node:crypto";

/** Derived from the secret that all processes share: each accepts the code that another has printed. 80 bits. */
export function setupCodeOf(jwtSecret: string): string {
  const hex = createHmac("sha256", jwtSecret).update("set-up code").digest("hex").slice(0, 20);
  return hex.match(/.{5}/g)?.join("-") ?? hex;
}

export function isSameCode(given: string, expected: string): boolean {
  const [one, two] = [given.trim().toLowerCase(), expected].map((text) =>
    createHmac("sha256", "comparison").update(text).digest(),
  ) as [Buffer, Buffer];
  return timingSafeEqual(one, two);
}
