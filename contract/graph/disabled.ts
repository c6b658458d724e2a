/** A disabled step does not run: the run continues along its edges without a condition. */
export function isDisabled(step: Readonly<Record<string, unknown>>): boolean {
  return step["disabled"] === true;
}
