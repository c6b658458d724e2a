/** A number while JavaScript holds it exactly, else text. */
export function exactInteger(value: string | bigint): number | string {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : String(value);
}

/** JSON has no NaN and no infinity; they become text. */
export function floatValue(value: string | number): number | string {
  const number = Number(value);
  return Number.isFinite(number) ? number : String(value);
}

/** The shortest digits of a single-precision number: 3.14, not 3.140000104904175. */
export function singleValue(value: number): number | string {
  for (let digits = 6; digits < 9; digits++) {
    const short = Number(value.toPrecision(digits));
    if (Math.fround(short) === value) return short;
  }
  return floatValue(value);
}

/** `2026-11-16T10:00:00.123456` in UTC with all digits of its seconds; undefined when JavaScript has no such date. */
export function utcMoment(local: string, offsetSeconds = 0): string | undefined {
  const [whole = "", fraction = ""] = local.split(".");
  const time = Date.parse(`${whole}Z`) - offsetSeconds * 1000;
  if (Number.isNaN(time)) return undefined;
  const digits = fraction.replace(/0+$/, "").padEnd(3, "0");
  return `${new Date(time).toISOString().slice(0, -".000Z".length)}.${digits}Z`;
}
