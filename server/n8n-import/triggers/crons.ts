import { entriesAt, listOf, numberOf, textOf } from "../source/parameters.ts";
import type { SourceNode } from "../source/source.ts";

const number = (value: unknown, usual: number, max: number): number =>
  Math.min(max, Math.max(0, Math.trunc(numberOf(value) ?? usual)));

/** The rules of `scheduleTrigger`, and of its forerunners. */
export function cronsOf({ kind, parameters }: SourceNode): string[] {
  if (kind === "interval") {
    const unit = textOf(parameters["unit"]);
    return [
      everyCron(
        unit === "hours" ? "hours" : "minutes",
        unit === "" || unit === "seconds" ? 1 : number(parameters["interval"], 1, 59),
      ),
    ];
  }
  const rules =
    kind === "cron"
      ? entriesAt(parameters, "triggerTimes", "item")
      : entriesAt(parameters, "rule", "interval");
  return rules.slice(0, 20).flatMap((rule) => {
    const hour = number(rule["triggerAtHour"] ?? rule["hour"], kind === "cron" ? 14 : 0, 23);
    const minute = number(rule["triggerAtMinute"] ?? rule["minute"], 0, 59);
    const days = listOf(rule["triggerAtDay"]).filter(
      (day) => typeof day === "number" && day >= 0 && day <= 7,
    );
    switch (textOf(rule["field"] ?? rule["mode"]) || (kind === "cron" ? "everyDay" : "days")) {
      case "cronExpression":
      case "custom":
        return withoutSeconds(textOf(rule["expression"] ?? rule["cronExpression"]));
      case "seconds":
      case "everyMinute":
        return ["* * * * *"];
      case "minutes":
        return [everyCron("minutes", number(rule["minutesInterval"], 5, 59))];
      case "everyX":
        return [
          everyCron(textOf(rule["unit"]) === "minutes" ? "minutes" : "hours", number(rule["value"], 1, 59)),
        ];
      case "hours":
        return [everyCron("hours", number(rule["hoursInterval"], 1, 23), minute)];
      case "everyHour":
        return [`${minute} * * * *`];
      case "weeks":
        return [`${minute} ${hour} * * ${weekdaysOf(rule["triggerAtDay"], days)}`];
      case "everyWeek":
        return [`${minute} ${hour} * * ${number(Number(rule["weekday"]), 1, 7)}`];
      case "months":
      case "everyMonth":
        return [
          `${minute} ${hour} ${Math.max(1, number(rule["triggerAtDayOfMonth"] ?? rule["dayOfMonth"], 1, 31))} * *`,
        ];
      default: {
        const every = number(rule["daysInterval"], 1, 31);
        return [`${minute} ${hour} ${every > 1 ? `*/${every}` : "*"} * *`];
      }
    }
  });
}

/** n8n takes Sunday when the file names no days, and every day when the list is empty. */
function weekdaysOf(given: unknown, days: readonly unknown[]): string {
  if (days.length > 0) return days.join(",");
  return given === undefined ? "0" : "*";
}

function everyCron(unit: "minutes" | "hours", every: number, minute = 0): string {
  const step = every > 1 ? `*/${every}` : "*";
  return unit === "minutes" ? `${step} * * * *` : `${minute} ${step} * * *`;
}

/** n8n allows a first field with seconds. */
function withoutSeconds(cron: string): string[] {
  const fields = cron.replace(/^=/, "").trim().split(/\s+/);
  return fields.length === 6 ? [fields.slice(1).join(" ")] : fields.length === 5 ? [fields.join(" ")] : [];
}

/** Where a cron expression starts runs at other times than n8n does; empty when it does not. */
export function scheduleDoubt({ kind, parameters }: SourceNode): string {
  const rules =
    kind === "cron"
      ? entriesAt(parameters, "triggerTimes", "item")
      : kind === "interval"
        ? [{ ...parameters, field: parameters["unit"] ?? "seconds" }]
        : entriesAt(parameters, "rule", "interval");
  const hasSeconds = rules.some((rule) => {
    const fields = textOf(rule["expression"] ?? rule["cronExpression"])
      .replace(/^=/, "")
      .trim()
      .split(/\s+/);
    return rule["field"] === "seconds" || (fields.length === 6 && fields[0] !== "0");
  });
  if (hasSeconds) return "A schedule starts at most one run a minute.";
  const longIntervals = ["daysInterval", "weeksInterval", "monthsInterval"];
  const isUneven = (value: unknown, whole: number): boolean => whole % (numberOf(value) ?? 1) !== 0;
  return rules.some(
    (rule) =>
      longIntervals.some((name) => (numberOf(rule[name]) ?? 1) > 1) ||
      (rule["field"] === "minutes" && isUneven(rule["minutesInterval"], 60)) ||
      (rule["field"] === "hours" && isUneven(rule["hoursInterval"], 24)),
  )
    ? "n8n counts the interval from the last run: check the times."
    : "";
}
