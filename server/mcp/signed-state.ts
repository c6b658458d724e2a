import { createHmac, hkdfSync, timingSafeEqual } from "node:crypto";
import { isRecord } from "../../contract/placeholders/json-value.ts";

/** State that a client keeps for this service, so that any process can answer its next request. */
export interface SignedState {
  sign(state: object): string;
  /** The state of a text that this service signed; undefined for every other text. */
  verify(text: string): Record<string, unknown> | undefined;
}

const SIGNED = /^([\w-]{1,8000})\.([\w-]{43})$/;

/** `<JSON in base64url>.<HMAC-SHA256>`. Each purpose has its own key; the first secret signs, all verify. */
export function createSignedState(purpose: string, secrets: readonly [string, ...string[]]): SignedState {
  const keys = secrets.map((secret) => Buffer.from(hkdfSync("sha256", secret, "", `baton ${purpose}`, 32)));
  const macOf = (key: Buffer, text: string): Buffer => createHmac("sha256", key).update(text).digest();
  return {
    sign(state) {
      const text = Buffer.from(JSON.stringify(state)).toString("base64url");
      return `${text}.${macOf(keys[0]!, text).toString("base64url")}`;
    },
    verify(signed) {
      const [, text, mac] = SIGNED.exec(signed) ?? [];
      if (text === undefined || mac === undefined) return undefined;
      const given = Buffer.from(mac, "base64url");
      if (!keys.some((key) => timingSafeEqual(macOf(key, text), given))) return undefined;
      const state: unknown = JSON.parse(Buffer.from(text, "base64url").toString("utf8"));
      return isRecord(state) ? state : undefined;
    },
  };
}
