import { webcrypto } from "node:crypto";
import { jwtVerify, SignJWT } from "jose";
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

export interface Tokens {
  issue(userId: string, sessionId: string): Promise<string>;
  /** Checks signature and expiry, not whether the login has ended. Throws `invalid_token`. */
  verify(token: string): Promise<Claims>;
}

export function createTokens({ secret, clock }: { secret: string; clock: Clock }): Tokens {
  // Imported once: jose would import a byte array for every request.
  const key = webcrypto.subtle.importKey(
    "raw",
    Buffer.from(secret, "utf8"),
    { name: "HMAC", hash: "SHA-256" },
    false,
    ["sign", "verify"],
  );
  // The first call throws a failed import. Without this handler the rejection would end the process before.
  key.catch(() => {});

  return {
    async issue(userId, sessionId) {
      const issuedAt = Math.floor(clock.now() / 1000);
      return new SignJWT({ sid: sessionId })
        .setProtectedHeader({ alg: ALGORITHM, typ: "JWT" })
        .setSubject(userId)
        .setIssuer(PARTY)
        .setAudience(PARTY)
        .setIssuedAt(issuedAt)
        .setExpirationTime(issuedAt + TOKEN_LIFETIME_MS / 1000)
        .sign(await key);
    },

    async verify(token) {
      try {
        const { payload } = await jwtVerify(token, await key, {
          // The algorithm is fixed: the token's header must never choose how it is verified.
          algorithms: [ALGORITHM],
          issuer: PARTY,
          audience: PARTY,
          requiredClaims: ["sub", "iat", "exp"],
          currentDate: new Date(clock.now()),
        });
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
