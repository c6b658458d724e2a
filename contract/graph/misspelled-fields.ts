import { findStepType } from "../steps/catalogue.ts";
import { commonFields } from "../steps/common.ts";
import { labelOf, type ParsedStep } from "./identity.ts";
import { quote, type Report } from "./report.ts";

const COMMON = Object.keys(commonFields);
const MAX_UNKNOWN_FIELDS = 50;
/** A shorter name is one letter away from too many others. */
const MIN_LENGTH = 4;
const MAX_LENGTH = 40;

/** Unknown fields are kept, so a misspelled one would have no effect and no error: `header`, `max_retries`, `onerror`. */
export function warnAboutMisspelledFields(step: ParsedStep, report: Report): void {
  const stepType = findStepType(step.fields["type"]);
  if (stepType === undefined) return;
  const known = [...COMMON, ...Object.keys(stepType.fields)];
  const unknown = Object.keys(step.fields).filter((field) => field !== "type" && !known.includes(field));
  const absent = known.filter((field) => step.fields[field] === undefined);
  for (const field of unknown.slice(0, MAX_UNKNOWN_FIELDS)) {
    const meant = absent.find((name) => isMisspelling(field, name));
    if (meant === undefined) continue;
    report.warning(
      "misspelled_field",
      `${labelOf(step)} has the field ${quote(field)}, which has no effect. Rename it to ${quote(meant)} if that is what you mean.`,
      step.location,
    );
  }
}

/** True for a name that is one letter, or the case or separators of words, away from the other. */
export function isMisspelling(field: string, name: string): boolean {
  if (field.length > MAX_LENGTH) return false;
  const [a, b] = [plain(field), plain(name)];
  return a === b || (Math.min(a.length, b.length) >= MIN_LENGTH && isOneEditAway(a, b));
}

/** `max_retries`, `max-retries` and `maxretries` are the same name. */
function plain(name: string): string {
  return name.replaceAll(/[_\s-]/g, "").toLowerCase();
}

/** One letter is missing, added, replaced, or swapped with the next one. */
function isOneEditAway(a: string, b: string): boolean {
  let start = 0;
  while (start < a.length && a[start] === b[start]) start += 1;
  const [restOfA, restOfB] = [a.slice(start), b.slice(start)];
  if (restOfA.length === restOfB.length) {
    const isSwapped = restOfA[0] === restOfB[1] && restOfA[1] === restOfB[0];
    return restOfA.slice(1) === restOfB.slice(1) || (isSwapped && restOfA.slice(2) === restOfB.slice(2));
  }
  return restOfA.slice(1) === restOfB || restOfA === restOfB.slice(1);
}
