import { createRedactor } from "./redact.ts";

/** A redactor for this many beginnings is built in about 20 ms. */
const SECRETS_PER_TURN = 20;
/** Tells whether a long secret occurs at all. A multiple of three: its base64 is the beginning of that of the whole. */
const BEGINNING = 48;

/**
 * Redacts every secret that a workspace has stored from a JSON value. A redactor for hundreds of long tokens would block
 * the event loop for seconds: their beginnings are searched first, a few at a time, and only what occurs is redacted whole.
 */
export async function redactKnown<T>(secrets: Iterable<string>, json: T): Promise<T> {
  const list = [...new Set(secrets)];
  let clean = json;
  for (let start = 0; start < list.length; start += SECRETS_PER_TURN) {
    if (start > 0) await new Promise((resolve) => setImmediate(resolve));
    const some = list.slice(start, start + SECRETS_PER_TURN);
    const beginnings = createRedactor(some.map((secret) => secret.trim().slice(0, BEGINNING)));
    if ((await beginnings.valueInTurns(clean)) === clean) continue;
    for (const secret of some) clean = await createRedactor([secret]).valueInTurns(clean);
  }
  return clean;
}
