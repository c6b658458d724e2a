import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

/** Code that names one of these gets Luxon and `Intl`; for other code they are not loaded. */
const NAMED = /\b(?:DateTime|Duration|Interval|Intl|toLocale(?:Date|Time)?String)\b/;

export function namesDates(sources: readonly string[]): boolean {
  return sources.some((source) => NAMED.test(source));
}

/** Luxon as a script that declares `luxon`. The file is not among the package's exports. */
export function readLuxon(): string {
  const folder = dirname(createRequire(import.meta.url).resolve("luxon/package.json"));
  return readFileSync(join(folder, "build", "global", "luxon.min.js"), "utf8");
}

/**
 * Runs inside the sandbox. QuickJS has no `Intl`; these classes ask the thread, with text on both sides, and offer the
 * calls that Luxon and common code use.
 */
export const INTL = String.raw`(function (host) {
  "use strict";
  const { parse, stringify } = JSON;
  const ask = (kind, method, locales, options, ...values) => {
    const answer = parse(host(stringify([kind, method, locales ?? null, options ?? null, values])));
    if ("error" in answer) throw new RangeError(answer.error);
    return answer.value;
  };
  const time = (date) => (date === undefined ? Date.now() : +date);
  class Format {
    constructor(locales, options) {
      this.asked = [locales, options && parse(stringify(options))];
      this.resolved = ask(this.constructor.name, "resolvedOptions", ...this.asked);
    }
    resolvedOptions() {
      return { ...this.resolved };
    }
  }
  class DateTimeFormat extends Format {
    format = (date) => ask("DateTimeFormat", "format", ...this.asked, time(date));
    formatToParts(date) {
      return ask("DateTimeFormat", "formatToParts", ...this.asked, time(date));
    }
  }
  class NumberFormat extends Format {
    format = (value) => ask("NumberFormat", "format", ...this.asked, String(value));
  }
  class RelativeTimeFormat extends Format {
    format(value, unit) {
      return ask("RelativeTimeFormat", "format", ...this.asked, Number(value), String(unit));
    }
  }
  class ListFormat extends Format {
    format(list) {
      return ask("ListFormat", "format", ...this.asked, [...list].map(String));
    }
  }
  globalThis.Intl = { DateTimeFormat, NumberFormat, RelativeTimeFormat, ListFormat };
  for (const method of ["toLocaleString", "toLocaleDateString", "toLocaleTimeString"])
    Date.prototype[method] = function (locales, options) {
      return ask("Date", method, locales, options, +this);
    };
  Number.prototype.toLocaleString = function (locales, options) {
    return ask("Number", "toLocaleString", locales, options, String(+this));
  };
})`;

/** Runs inside the sandbox after Luxon. */
export const EXPOSE_LUXON =
  "globalThis.DateTime = luxon.DateTime; globalThis.Duration = luxon.Duration; globalThis.Interval = luxon.Interval;";
