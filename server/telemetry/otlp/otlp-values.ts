import type { Attributes } from "../tracing.ts";

/** Resource and scope are the same in every message of a process. */
export interface OtlpSource {
  resource: Readonly<Record<string, string | number>>;
  version: string;
}

export const SCOPE_NAME = "baton";

/** The JSON form of OTLP: 64-bit integers are strings. */
export function keyValues(attributes: Attributes): object[] {
  return Object.entries(attributes).flatMap(([key, value]) =>
    value === undefined ? [] : [{ key, value: anyValue(value) }],
  );
}

function anyValue(value: string | number | boolean): object {
  if (typeof value === "string") return { stringValue: value };
  if (typeof value === "boolean") return { boolValue: value };
  return Number.isSafeInteger(value) ? { intValue: String(value) } : { doubleValue: value };
}

/** Milliseconds since 1970, with fractions, as nanoseconds. */
export function nanoseconds(ms: number): string {
  return `${BigInt(Math.round(ms * 1000)) * 1000n}`;
}

export function resourceOf({ resource }: OtlpSource): object {
  return { attributes: keyValues(resource) };
}

export function scopeOf({ version }: OtlpSource): object {
  return { name: SCOPE_NAME, version };
}
