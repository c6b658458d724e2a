/** `$now` and `$today` in the time zone of the workflow. */
export function readTime(
  word: string,
  timezone: string | undefined,
): { script: string; path?: string } | undefined {
  if (word !== "$now" && word !== "$today") return undefined;
  const now =
    timezone === undefined
      ? "DateTime.fromISO(now)"
      : `DateTime.fromISO(now, { zone: ${JSON.stringify(timezone)} })`;
  if (word === "$today") return { script: `${now}.startOf("day")` };
  return timezone === undefined ? { script: now, path: "now" } : { script: now };
}

export const ZONE_NOTE =
  "The file names no time zone: times are in UTC here, and in that of its server in n8n.";

/** A point in time is the same in every zone, and `setZone` replaces the zone. */
const ANY_ZONE =
  /\$now\s*\.\s*(?:toMillis|toSeconds|toUnixInteger|valueOf|setZone|toUTC)\s*\(|\$now\s*\.\s*ts(?![\w$])/g;
const ZONED = /\$now(?![\w$])|\$today(?![\w$])|(?<![\w$.])DateTime\s*\.\s*(?:now|local|from[A-Z]\w*)\s*\(/;

/** True when the result depends on the time zone of the workflow. */
export function readsZone(source: string): boolean {
  return ZONED.test(source.replaceAll(ANY_ZONE, ""));
}
