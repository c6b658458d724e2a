import { createHash } from "node:crypto";
import type { Clock } from "../../lib/clock.ts";
import { AppError } from "../../lib/errors.ts";
import { createSignedLinks } from "../../security/signed-links.ts";

const LIFETIME_MS = 5 * 60_000;

interface Challenge {
  userId: string;
  /** A challenge is invalid once the password has changed. */
  password: string;
  expiresAt: number;
}

export type LoginChallenges = ReturnType<typeof createLoginChallenges>;

/** Proof that the first factor was right, for the request with the second one. Signed, so nothing is stored for it. */
export function createLoginChallenges({
  secrets,
  clock,
}: {
  secrets: readonly [string, ...string[]];
  clock: Clock;
}) {
  const signed = createSignedLinks("second factor", secrets);

  return {
    issue(userId: string, passwordHash: string): string {
      const challenge: Challenge = {
        userId,
        password: fingerprint(passwordHash),
        expiresAt: clock.now() + LIFETIME_MS,
      };
      return signed.tokenOf(Buffer.from(JSON.stringify(challenge)).toString("base64url"));
    },

    /** The user of a challenge that has not expired. */
    open(token: string): { userId: string; matches(passwordHash: string): boolean } {
      const id = signed.verify(token);
      if (id === undefined) throw expired();
      const challenge = JSON.parse(Buffer.from(id, "base64url").toString()) as Challenge;
      if (challenge.expiresAt <= clock.now()) throw expired();
      return {
        userId: challenge.userId,
        matches: (passwordHash) => fingerprint(passwordHash) === challenge.password,
      };
    },

    expired,
  };
}

function expired(): AppError {
  return new AppError("invalid_challenge", "This login attempt has expired. Log in again.");
}

function fingerprint(passwordHash: string): string {
  return createHash("sha256").update(passwordHash).digest("base64url");
}
