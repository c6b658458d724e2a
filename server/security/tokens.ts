import { createHash, webcrypto } from "node:crypto";
import { decodeProtectedHeader, errors, jwtVerify, SignJWT } from "jose";
import type { Clock } from "../lib/clock.ts";
import { AppError } from "../lib/errors.ts";

const ALGORITHM = "HS256";
const PARTY = "baton";
export const TOKEN_LIFETIME_MS = 7 * 24 * 60 * 60 * 1000;

export interface Claims {
  userId: string;
  /** Undefined in tokens from before logins were recorded. */
  sessionId: string | undefined;
  issuedAt: number;
}

interface SigningKey {
  id: string;
  key: Promise<webcrypto.CryptoKey>;
}

export interface Tokens {
  issue(userId: string, sessionId: string): Promise<string>;
  /** Checks signature and expiry, not whether the login has ended. Throws `invalid_token`. */
  verify(token: string): Promise<Claims>;
}

/** The first secret signs; all of them verify. */
export function createTokens({
  secrets,
  clock,
}: {
  secrets: readonly [string, ...string[]];
  clock: Clock;
}): Tokens {
  const keys = secrets.map((secret) => ({ id: keyIdOf(secret), key: importKey(secret) }));
  const [current] = keys as [SigningKey, ...SigningKey[]];

  /** A token from before keys had ids names none: each of them is tried. */
  async function verifyWithAnyKey(token: string) {
    const kid = decodeProtectedHeader(token).kid;
    const candidates = kid === undefined ? keys : keys.filter(({ id }) => id === kid);
    for (const [position, { key }] of candidates.entries()) {
      try {
        return await jwtVerify(token, await key, {
          // The algorithm is fixed: the token's header must never choose how it is verified.
          algorithms: [ALGORITHM],
          issuer: PARTY,
          audience: PARTY,
          requiredClaims: ["sub", "iat", "exp"],
          currentDate: new Date(clock.now()),
        });
      } catch (error) {
        const isLast = position === candidates.length - 1;
        if (isLast || !(error instanceof errors.JWSSignatureVerificationFailed)) throw error;
      }
    }
    throw new Error("the token names an unknown key");
  }

  return {
    async issue(userId, sessionId) {
      const issuedAt = Math.floor(clock.now() / 1000);
      return new SignJWT({ sid: sessionId })
        .setProtectedHeader({ alg: ALGORITHM, typ: "JWT", kid: current.id })
        .setSubject(userId)
        .setIssuer(PARTY)
        .setAudience(PARTY)
        .setIssuedAt(issuedAt)
        .setExpirationTime(issuedAt + TOKEN_LIFETIME_MS / 1000)
        .sign(await current.key);
    },

    async verify(token) {
      try {
        const { payload } = await verifyWithAnyKey(token);
        // jose declares the subject as text without checking it.
        const subject: unknown = payload.sub;
        if (typeof subject !== "string" || subject === "") throw new Error("the subject is no user id");
        const sessionId = payload["sid"];
        if (sessionId !== undefined && typeof sessionId !== "string")
          throw new Error("the session is no text");
        return { userId: subject, sessionId, issuedAt: Number(payload.iat) * 1000 };
      } catch (cause) {
        throw new AppError("invalid_token", "This access token is invalid or has expired. Log in again.", {
          cause,
        });
      }
    },
  };
}

/** Imported once: jose would import a byte array for every request. */
function importKey(secret: string): Promise<webcrypto.CryptoKey> {
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const key = webcrypto.subtle.importKey("raw", Buffer.from(secret, "utf8"), algorithm, false, [
    "sign",
    "verify",
  ]);
  // The first call throws a failed import. Without this handler the rejection would end the process before.
  key.catch(() => {});
  return key;
}

/** Tells nothing about the secret, and is the same in every process. */
function keyIdOf(secret: string): string {
  return createHash("sha256").update("baton token key id\0").update(secret).digest("hex").slice(0, 12);
}
