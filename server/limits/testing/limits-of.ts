import { Registry } from "prom-client";
import { LIMITS, type LimitName } from "../../../contract/limits.ts";
import { createLimits, type Limits, type LimitValues } from "../limits.ts";

/** Limits with these values; the others are off. */
export function limitsOf(values: Partial<LimitValues> = {}): Limits {
  const off = Object.fromEntries(LIMITS.map(({ name }) => [name, 0])) as Record<LimitName, number>;
  return createLimits({ ...off, ...values }, new Registry());
}
