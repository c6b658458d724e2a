import type { ProposedTrigger } from "../../../contract/generation.ts";

/** "when a new mail arrives": up to the comma, the full stop or the end. */
const WHEN =
  /\b(?:when(?:ever)?|as\s+soon\s+as|every\s+time|each\s+time|on\s+(?:each|every)\s+new|for\s+(?:each|every)\s+new)\s+[^,.;\n]*(?:\.(?!\s)[^,.;\n]*)*/gi;

/** What the clause is about, the more specific first. */
const EVENTS: readonly (readonly [ProposedTrigger["kind"], RegExp])[] = [
  ["rss", /\b(?:rss|atom|feed|podcast|blog\s+posts?)\b/i],
  ["chat", /\b(?:chats?|chatbot|widget)\b/i],
  ["email", /\b(?:e-?mails?|mails?|inbox|mailbox|imap)\b/i],
  ["form", /\b(?:form|survey|questionnaire)\b/i],
  [
    "webhook",
    /\b(?:webhook|github|gitlab|stripe|shopify|payments?|orders?|customers?|signs?\s+up|issues?|tickets?|pull\s+requests?)\b/i,
  ],
  [
    "endpoint",
    /\b(?:api|endpoint|programs?|apps?|request)\b.*\b(?:calls?|called|comes?|arrives?|received)\b/i,
  ],
];

const URL = /https?:\/\/[^\s,;"'<>]*[^\s,;"'<>.]/i;
const MAX_TEXT = 200;

/** The trigger that the text asks for: by the words of a "when" clause, else by a time. */
export function triggerOf(prompt: string): ProposedTrigger | undefined {
  for (const [clause] of prompt.matchAll(WHEN))
    for (const [kind, about] of EVENTS) {
      if (!about.test(clause)) continue;
      const url = kind === "rss" ? (URL.exec(clause) ?? URL.exec(prompt))?.[0] : undefined;
      return { kind, text: shortened(clause), ...(url !== undefined && { url }) };
    }
  const schedule = scheduleIn(prompt);
  return schedule && { kind: "schedule", ...schedule };
}

const DAYS = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"];
const TIME = /\s+at\s+(?:(\d{1,2})(?::(\d\d))?\s*(am|pm)?|(noon|midnight))\b/;
const HOURS: Readonly<Record<string, number>> = { morning: 8, noon: 12, evening: 18, night: 22 };
const UNIT =
  /\b(?:every|each|once\s+an?|on|on\s+the\s+first\s+of\s+(?:each|every|the))\s+(?:(\d{1,2})\s+(minute|hour)s?|(minute|hour|day|week|month|weekday|workday|morning|noon|evening|night|(?:mon|tues|wednes|thurs|fri|satur|sun)day)s?)\b|\b(hourly|daily|nightly|weekly|monthly)\b/;
const ADVERBS: Readonly<Record<string, string>> = {
  hourly: "hour",
  daily: "day",
  nightly: "night",
  weekly: "week",
  monthly: "month",
};

/** "every weekday at 7:30" → `30 7 * * 1-5`. Times that are not given are those of a usual morning. */
function scheduleIn(prompt: string): { text: string; cron: string } | undefined {
  const found = UNIT.exec(prompt.toLowerCase());
  if (found === null) return undefined;
  const [words, count, counted, named, adverb = ""] = found;
  const rest = prompt.toLowerCase().slice(found.index + words.length);
  const time = TIME.exec(rest.slice(0, 40));
  const isNext = time !== null && time.index === 0;
  const text = shortened(
    prompt.slice(found.index, found.index + words.length + (isNext ? time[0].length : 0)),
  );
  if (counted === "minute") return { text, cron: `*/${Math.min(Number(count), 59)} * * * *` };
  if (counted === "hour") return { text, cron: `0 */${Math.min(Number(count), 23)} * * *` };
  const unit = named ?? ADVERBS[adverb] ?? "day";
  if (unit === "minute") return { text, cron: "* * * * *" };
  if (unit === "hour") return { text, cron: "0 * * * *" };
  const [hour, minute] = isNext ? clockOf(time) : [HOURS[unit] ?? 8, 0];
  return { text, cron: `${minute} ${hour} ${daysOf(unit)}` };
}

/** Day of the month, month and weekday. */
function daysOf(unit: string): string {
  if (unit === "month") return "1 * *";
  if (unit === "week") return "* * 1";
  if (unit === "weekday" || unit === "workday") return "* * 1-5";
  const day = DAYS.indexOf(unit);
  return day < 0 ? "* * *" : `* * ${day}`;
}

function clockOf([, hour = "0", minute = "0", half, word]: RegExpExecArray): [number, number] {
  if (word !== undefined) return [word === "noon" ? 12 : 0, 0];
  const given = Math.min(Number(hour), 23);
  const isAfternoon = half === "pm" && given < 12;
  const isMidnight = half === "am" && given === 12;
  return [isAfternoon ? given + 12 : isMidnight ? 0 : given, Math.min(Number(minute), 59)];
}

function shortened(text: string): string {
  return text.trim().slice(0, MAX_TEXT);
}
