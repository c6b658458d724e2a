import type { Clock } from "../../lib/clock.ts";
import { AppError } from "../../lib/errors.ts";
import { secondFactorContext } from "../../security/seal-contexts.ts";
import type { SecretBox } from "../../security/secret-box.ts";
import { createTotpSecret, findTotpStep, totpUri } from "../../security/totp.ts";
import { createRecoveryCodes, hashRecoveryCode } from "./recovery-codes.ts";
import type { SecondFactorStore } from "./second-factor.sql.ts";

/** Ten guesses of three valid codes in a quarter of an hour: one in a thousand per day, and only with the password. */
const MAX_ATTEMPTS = 10;
const ATTEMPT_WINDOW_MS = 15 * 60_000;

export interface SecondFactorsDeps {
  store: SecondFactorStore;
  box: SecretBox;
  clock: Clock;
  /** The name of this service in authenticator apps. */
  issuer: string;
}

export type SecondFactors = ReturnType<typeof createSecondFactors>;

/** A code of an authenticator app as the second factor of a login, with recovery codes for a lost device. */
export function createSecondFactors({ store, box, clock, issuer }: SecondFactorsDeps) {
  async function newRecoveryCodes(userId: string): Promise<string[]> {
    const codes = createRecoveryCodes();
    await store.replaceRecoveryCodes(
      userId,
      codes.map((code) => hashRecoveryCode(userId, code)),
    );
    return codes;
  }

  /** Throws unless `code` is a code of the app or a recovery code. Each one is accepted once. */
  async function check(userId: string, code: string): Promise<void> {
    const now = clock.now();
    const attempt = await store.countAttempt(userId, now, ATTEMPT_WINDOW_MS);
    if (attempt === undefined) throw notEnabled();
    if (attempt.count > MAX_ATTEMPTS) throw tooManyAttempts(attempt.countUntil - now);
    const typed = code.replaceAll(/\s/g, "");
    const secret = box.open(attempt.sealedSecret, secondFactorContext(userId));
    const step = findTotpStep(secret, typed, now);
    const isValid =
      step === undefined
        ? await store.useRecoveryCode(userId, hashRecoveryCode(userId, typed))
        : await store.acceptStep(userId, step);
    if (!isValid) throw invalidCode();
  }

  return {
    check,

    async state(userId: string) {
      const found = await store.find(userId);
      const enabledAt = found?.enabledAt ?? null;
      return { enabledAt, recoveryCodesLeft: enabledAt === null ? 0 : (found?.recoveryCodesLeft ?? 0) };
    },

    /** A new secret. It has no effect until `enable`. */
    async prepare({ id, email }: { id: string; email: string }): Promise<{ secret: string; uri: string }> {
      const secret = createTotpSecret();
      if (!(await store.prepare(id, box.seal(secret, secondFactorContext(id))))) throw alreadyEnabled();
      return { secret, uri: totpUri(secret, issuer, email) };
    },

    /** The code proves that the app has the secret. Returns the recovery codes, which are never shown again. */
    async enable(userId: string, code: string): Promise<string[]> {
      const sealedSecret = await store.findPrepared(userId);
      if (sealedSecret === undefined) throw await missingSecret(userId);
      const now = clock.now();
      const secret = box.open(sealedSecret, secondFactorContext(userId));
      const step = findTotpStep(secret, code.replaceAll(/\s/g, ""), now);
      if (step === undefined) throw invalidCode();
      if (!(await store.enable(userId, { sealedSecret, step, now }))) throw alreadyEnabled();
      return newRecoveryCodes(userId);
    },

    async replaceRecoveryCodes(userId: string, code: string): Promise<string[]> {
      await check(userId, code);
      return newRecoveryCodes(userId);
    },

    async disable(userId: string, code: string): Promise<void> {
      await check(userId, code);
      await store.remove(userId);
    },
  };

  async function missingSecret(userId: string): Promise<AppError> {
    if ((await store.find(userId)) !== undefined) return alreadyEnabled();
    return new AppError(
      "second_factor_not_enabled",
      "There is no secret to enable yet. Create one with POST /api/auth/second-factor/setup.",
    );
  }
}

function invalidCode(): AppError {
  return new AppError(
    "invalid_code",
    "This code is wrong or was used before. Enter the next code that your app shows, or a recovery code.",
  );
}

function tooManyAttempts(waitMs: number): AppError {
  const minutes = Math.ceil(waitMs / 60_000);
  return new AppError("rate_limited", `Too many wrong codes. Try again in ${minutes} minutes.`, {
    retryAfterMs: waitMs,
  });
}

function alreadyEnabled(): AppError {
  return new AppError(
    "second_factor_enabled",
    "The second factor is on. Turn it off before you set up another device.",
  );
}

function notEnabled(): AppError {
  return new AppError("second_factor_not_enabled", "The second factor of this account is off.");
}
