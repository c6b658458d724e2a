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
