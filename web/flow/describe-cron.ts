const WEEKDAYS = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];

/** Describes common cron patterns; undefined for others, which the page shows as they are. */
export function describeCron(cron: string): string | undefined {
  const fields = cron.trim().split(/\s+/);
  const [minute = "", hour = "", day = "", month = "", weekday = ""] = fields;
  if (fields.length !== 5 || month !== "*") return undefined;
  if (hour === "*" && day === "*" && weekday === "*") return withinAnHour(minute);
  const clock = clockOf(hour, minute);
  const days = daysOf(day, weekday);
  return clock === undefined || days === undefined ? undefined : `${days} at ${clock}`;
}

function withinAnHour(minute: string): string | undefined {
  if (minute === "*") return "every minute";
  if (minute === "0") return "every hour";
  const every = /^\*\/(\d+)$/.exec(minute)?.[1];
  // A step that does not divide 60 restarts at each full hour, so the interval is not constant.
  if (every !== undefined) return 60 % Number(every) === 0 ? `every ${every} minutes` : undefined;
  return isNumber(minute, 59) ? `every hour at ${minute.padStart(2, "0")} past` : undefined;
}

function daysOf(day: string, weekday: string): string | undefined {
  if (day === "*" && weekday === "*") return "every day";
  if (day === "*" && weekday === "1-5") return "Monday to Friday";
  if (day === "*" && isNumber(weekday, 7)) return `every ${WEEKDAYS[Number(weekday) % 7]}`;
  if (weekday === "*" && isNumber(day, 31)) return `on day ${Number(day)} of each month`;
  return undefined;
}

function clockOf(hour: string, minute: string): string | undefined {
  return isNumber(hour, 23) && isNumber(minute, 59)
    ? `${hour.padStart(2, "0")}:${minute.padStart(2, "0")}`
    : undefined;
}

function isNumber(text: string, most: number): boolean {
  return /^\d{1,2}$/.test(text) && Number(text) <= most;
}
