import type { TraceContext } from "./trace-context.ts";

export const SAMPLERS = [
  "always_on",
  "always_off",
  "traceidratio",
  "parentbased_always_on",
  "parentbased_always_off",
  "parentbased_traceidratio",
] as const;

export type SamplerName = (typeof SAMPLERS)[number];

export type Sampler = (traceId: string, parent: TraceContext | undefined) => boolean;

/** The random part of a trace id is its last 56 bits. */
const RANDOM_DIGITS = 14;
const RANDOM_RANGE = 2 ** 56;

/** Services that use the same ratio decide alike, since the decision follows from the trace id. */
export function createSampler(name: SamplerName, ratio: number): Sampler {
  const [, isParentBased, rule] = /^(parentbased_)?(.+)$/.exec(name) ?? [];
  const isRootSampled: Sampler =
    rule === "always_on"
      ? () => true
      : rule === "always_off"
        ? () => false
        : (traceId) => Number.parseInt(traceId.slice(-RANDOM_DIGITS), 16) >= (1 - ratio) * RANDOM_RANGE;
  return (traceId, parent) =>
    isParentBased !== undefined && parent !== undefined ? parent.sampled : isRootSampled(traceId, parent);
}
