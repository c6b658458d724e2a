/** What code may ask of the thread's `Intl`. Both sides of the call are JSON text. */
type Answer = (locales: Locales, options: object, values: readonly unknown[]) => unknown;
type Locales = string | string[] | undefined;

const MAX_REQUEST_LENGTH = 10_000;
const MAX_KEPT = 100;

// Creating a formatter takes fifty times as long as using it.
const kept = new Map<string, unknown>();

function formatter<T>(kind: string, create: (locales: Locales, options: object) => T) {
  return (locales: Locales, options: object): T => {
    const key = JSON.stringify([kind, locales, options]);
    const known = kept.get(key) as T | undefined;
    if (known !== undefined) return known;
    const fresh = create(locales, options);
    if (kept.size >= MAX_KEPT) kept.clear();
    kept.set(key, fresh);
    return fresh;
  };
}

const dateTime = formatter("DateTimeFormat", (locales, options) => new Intl.DateTimeFormat(locales, options));
const numbers = formatter("NumberFormat", (locales, options) => new Intl.NumberFormat(locales, options));
const relative = formatter(
  "RelativeTimeFormat",
  (locales, options) => new Intl.RelativeTimeFormat(locales, options),
);
const lists = formatter("ListFormat", (locales, options) => new Intl.ListFormat(locales, options));

const answers = new Map<string, Answer>([
  ["DateTimeFormat.resolvedOptions", (locales, options) => dateTime(locales, options).resolvedOptions()],
  ["DateTimeFormat.format", (locales, options, [time]) => dateTime(locales, options).format(Number(time))],
  [
    "DateTimeFormat.formatToParts",
    (locales, options, [time]) => dateTime(locales, options).formatToParts(Number(time)),
  ],
  ["NumberFormat.resolvedOptions", (locales, options) => numbers(locales, options).resolvedOptions()],
  ["NumberFormat.format", (locales, options, [value]) => numbers(locales, options).format(Number(value))],
  ["RelativeTimeFormat.resolvedOptions", (locales, options) => relative(locales, options).resolvedOptions()],
  [
    "RelativeTimeFormat.format",
    (locales, options, [value, unit]) =>
      relative(locales, options).format(Number(value), String(unit) as Intl.RelativeTimeFormatUnit),
  ],
  ["ListFormat.resolvedOptions", (locales, options) => lists(locales, options).resolvedOptions()],
  [
    "ListFormat.format",
    (locales, options, [list]) => lists(locales, options).format((list as unknown[]).map(String)),
  ],
  ["Date.toLocaleString", (locales, options, [time]) => dateOf(time).toLocaleString(locales, options)],
  [
    "Date.toLocaleDateString",
    (locales, options, [time]) => dateOf(time).toLocaleDateString(locales, options),
  ],
  [
    "Date.toLocaleTimeString",
    (locales, options, [time]) => dateOf(time).toLocaleTimeString(locales, options),
  ],
  ["Number.toLocaleString", (locales, options, [value]) => numbers(locales, options).format(Number(value))],
]);

function dateOf(time: unknown): Date {
  return new Date(typeof time === "number" ? time : Number.NaN);
}

/** Never throws: an exception of the thread would carry its stack into the sandbox. */
export function answerIntl(request: string): string {
  try {
    if (request.length > MAX_REQUEST_LENGTH) throw new RangeError("The request is too long.");
    const [kind, method, locales, options, values] = JSON.parse(request) as [
      string,
      string,
      Locales | null,
      object | null,
      unknown[],
    ];
    const answer = answers.get(`${kind}.${method}`);
    if (answer === undefined) throw new RangeError("It is not available.");
    return JSON.stringify({ value: answer(locales ?? undefined, options ?? {}, values) });
  } catch (error) {
    return JSON.stringify({ error: error instanceof RangeError ? error.message : "The value is not valid." });
  }
}
