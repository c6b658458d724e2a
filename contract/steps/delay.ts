import { inWords } from "./common.ts";
import { number, text } from "./fields.ts";
import { defineStepType } from "./step-type.ts";

/** The longest delay: ten years. */
export const MAX_DELAY_SECONDS = 10 * 366 * 24 * 3600;
const ISO_TIME = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?)(Z|[+-]\d\d(?::?\d\d)?)?)?$/i;

export const delayStep = defineStepType({
  type: "delay",
  title: "Wait",
  description: "Waits for a number of seconds, or until a time, before the run continues.",
  category: "flow",
  synonyms: ["sleep", "pause", "timer", "later", "until"],
  traits: { control: true },
  fields: {
    seconds: number("Number of seconds to wait.", { min: 0, max: MAX_DELAY_SECONDS }).optional(),
    until: text("The time to wait for, such as 2030-01-31T09:00:00Z; without an offset it is in UTC.")
      .refine((value) => value === "" || value.includes("{{") || parseIsoTime(value) !== undefined, {
        error: "must be a time such as 2030-01-31T09:00:00Z, or a placeholder",
      })
      .optional(),
  },
  alternatives: { fields: ["seconds", "until"], exclusive: true },
  summary: ({ seconds, until }) => (seconds === undefined ? inWords(until) : `${inWords(seconds)} s`),
  form: {
    seconds: { label: "For", control: "seconds", example: "5 min" },
    until: { label: "Until", example: "2030-01-31T09:00:00Z" },
  },
  example: { stepId: "pause", type: "delay", seconds: 60 },
});

/**
 * Milliseconds since 1970; undefined when the text is no ISO 8601 time. `Date.parse` alone also accepts "1" and
 * 30 February, and reads a time without an offset in the zone of the server.
 */
export function parseIsoTime(text: string): number | undefined {
  const [, day, clock = "00:00", offset = "Z"] = ISO_TIME.exec(text) ?? [];
  const midnight = Date.parse(`${day}T00:00Z`);
  if (day === undefined || Number.isNaN(midnight) || !new Date(midnight).toISOString().startsWith(day))
    return undefined;
  const time = Date.parse(`${day}T${clock}${withMinutes(offset)}`);
  return Number.isNaN(time) ? undefined : time;
}

/** `+02` and `+0200` as `+02:00`, which `Date.parse` needs. */
function withMinutes(offset: string): string {
  return offset.length < 3 ? "Z" : `${offset.slice(0, 3)}:${offset.slice(3).replace(":", "") || "00"}`;
}
