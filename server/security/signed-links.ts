import { createHmac, hkdfSync, timingSafeEqual } from "node:crypto";

export interface SignedLinks {
  /** The last part of the link's URL. */
  tokenOf(id: string): string;
  /** The id in a token that this service signed; undefined for every other text. */
  verify(token: string): string | undefined;
}

const TOKEN = /^([A-Za-z0-9_-]{22,4000})\.([A-Za-z0-9_-]{43})$/;

/**
 * Links that act for their holder: `<id>.<HMAC-SHA256 of the id>`. The signature keeps a copy of the database from being
 * enough to make one. Each purpose has its own key, derived from the secrets; the first one signs, all verify.
 */
export function createSignedLinks(purpose: string, secrets: readonly [string, ...string[]]): SignedLinks {
  const keys = secrets.map((secret) => Buffer.from(hkdfSync("sha256", secret, "", `baton ${purpose}`, 32)));
  const sign = (key: Buffer, id: string): Buffer => createHmac("sha256", key).update(id).digest();
  return {
    tokenOf: (id) => `${id}.${sign(keys[0]!, id).toString("base64url")}`,
    verify(token) {
      const [, id, signature] = TOKEN.exec(token) ?? [];
      if (id === undefined || signature === undefined) return undefined;
      const given = Buffer.from(signature, "base64url");
      return keys.some((key) => timingSafeEqual(sign(key, id), given)) ? id : undefined;
    },
  };
}
