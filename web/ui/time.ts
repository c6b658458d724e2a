const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const relative = new Intl.RelativeTimeFormat("en", { numeric: "auto" });

/** "3 minutes ago"; a date after two weeks. */
export function ago(iso: string | null, now = Date.now()): string {
  if (iso === null) return "";
  const passed = now - Date.parse(iso);
  if (passed < 10_000) return "just now";
  if (passed < MINUTE) return `${Math.round(passed / 1000)} seconds ago`;
  if (passed < HOUR) return relative.format(-Math.round(passed / MINUTE), "minute");
  if (passed < DAY) return relative.format(-Math.round(passed / HOUR), "hour");
  if (passed < 14 * DAY) return relative.format(-Math.round(passed / DAY), "day");
  return new Date(iso).toLocaleDateString("en", { day: "numeric", month: "short", year: "numeric" });
}

/** "in 3 hours"; the date from two weeks on. */
export function until(iso: string, now = Date.now()): string {
  const left = Date.parse(iso) - now;
  if (left <= 0) return "now";
  if (left < HOUR) return relative.format(Math.ceil(left / MINUTE), "minute");
  if (left < DAY) return relative.format(Math.round(left / HOUR), "hour");
  if (left < 14 * DAY) return relative.format(Math.round(left / DAY), "day");
  return new Date(iso).toLocaleDateString("en", { day: "numeric", month: "short", year: "numeric" });
}

export function duration(ms: number | null | undefined): string {
  if (ms === null || ms === undefined) return "";
  if (ms < 1000) return `${Math.round(ms)} ms`;
  const tenths = Math.round(ms / 100);
  if (tenths < 600) return `${(tenths / 10).toFixed(1)} s`;
  // Rounded before it is divided: 119.7 s are "2 min 0 s", not "1 min 60 s".
  const seconds = Math.round(ms / 1000);
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
  const minutes = Math.round(ms / MINUTE);
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

export function clockTime(iso: string): string {
  return new Date(iso).toLocaleTimeString("en", { hourCycle: "h23" });
}

export function bytes(count: number): string {
  if (count < 1024) return `${count} B`;
  if (count < 1024 * 1024) return `${Math.round(count / 1024)} kB`;
  if (count < 1024 ** 3) return `${(count / 1024 ** 2).toFixed(1)} MB`;
  return `${(count / 1024 ** 3).toFixed(1)} GB`;
}

/** Date and time in the time zone of the user. */
export function dateTime(iso: string | null): string {
  return iso === null
    ? "never"
    : new Date(iso).toLocaleString("en", { dateStyle: "medium", timeStyle: "short" });
}

/** The time; with the date unless it is today. */
export function shortDateTime(iso: string, now = new Date()): string {
  const at = new Date(iso);
  const isToday = at.toDateString() === now.toDateString();
  return at.toLocaleString("en", {
    ...(isToday ? {} : { day: "numeric", month: "short" }),
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
  });
}

/** "8 s", "1:05", "1:05:00": what is left until a moment. */
export function countdown(ms: number): string {
  const seconds = Math.ceil(ms / 1000);
  if (seconds < 60) return `${seconds} s`;
  const [hours, minutes, rest] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const pad = (value: number): string => String(value).padStart(2, "0");
  return hours > 0 ? `${hours}:${pad(minutes)}:${pad(rest)}` : `${minutes}:${pad(rest)}`;
}

/** "Today 15:48:12", "13 Nov, 15:48:12" */
export function startTime(iso: string, now = new Date()): string {
  const at = new Date(iso);
  const time = clockTime(iso);
  if (at.toDateString() === now.toDateString()) return `Today ${time}`;
  return `${at.toLocaleDateString("en", { day: "numeric", month: "short" })}, ${time}`;
}

/** "Mon, 16 Nov 2026, 08:00 GMT+1" in its own time zone, whatever the zone of the user. */
export function dateTimeIn(iso: string, timeZone: string): string {
  return new Date(iso).toLocaleString("en-GB", {
    timeZone,
    weekday: "short",
    day: "numeric",
    month: "short",
    year: "numeric",
    hour: "2-digit",
    minute: "2-digit",
    timeZoneName: "short",
  });
}
