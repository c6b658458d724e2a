const DAY_MS = 24 * 3_600_000;

/** How long a new key works; the values are days. */
export const EXPIRY_OPTIONS = [
  { value: "30", label: "In 30 days" },
  { value: "90", label: "In 90 days" },
  { value: "365", label: "In a year" },
  { value: "date", label: "On a date" },
  { value: "never", label: "Never" },
];

/** Null for a key that never expires, undefined while no future date is entered. A key works until the end of its last day. */
export function expiryOf(choice: string, date: string, now = Date.now()): string | null | undefined {
  if (choice === "never") return null;
  if (choice !== "date") return new Date(now + Number(choice) * DAY_MS).toISOString();
  const end = Date.parse(`${date}T23:59:59`);
  return end > now ? new Date(end).toISOString() : undefined;
}
