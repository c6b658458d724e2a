import { AppError } from "../lib/errors.ts";
import { createRedactor } from "./redact.ts";

/** Runs calls of another service: if it returns its credentials, in a result or an error, they do not get any further. */
export async function redactResult<T>(secrets: () => string[], work: () => Promise<T>): Promise<T> {
  try {
    const result = await work();
    // Read afterwards: a call may renew the credential.
    return await createRedactor(secrets()).valueInTurns(result);
  } catch (error) {
    throw redactError(error, secrets());
  }
}

export function redactError(error: unknown, secrets: string[]): unknown {
  if (!(error instanceof AppError)) return error;
  const redactor = createRedactor(secrets);
  const message = redactor.text(error.message);
  const stepExtra = redactor.value(error.stepExtra);
  if (message === error.message && stepExtra === error.stepExtra) return error;
  const { code, retryable, permanent, retryAfterMs } = error;
  const details = redactor.value(error.details);
  return new AppError(code, message, {
    details,
    retryable,
    permanent,
    retryAfterMs,
    ...(stepExtra && { stepExtra }),
  });
}
