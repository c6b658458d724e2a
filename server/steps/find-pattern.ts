import { RE2JS, RE2JSException } from "re2js";
import { MAX_PATTERN_LENGTH, MAX_PATTERN_SIZE, patternSize } from "../../contract/steps/pattern-size.ts";
import { permanentFailure } from "./step-failure.ts";

/** RE2 runs in linear time: instructions × characters. The worst patterns found take 20 ns for each, so 0.1 s. */
const MAX_PATTERN_WORK = 5_000_000;
const MAX_INLINE_LENGTH = 100;
const MAX_INLINE_SIZE = 200;
const MAX_INLINE_WORK = 50_000;

/** A pattern that is compiled and found within about a millisecond, which is less than the way to another process. */
export function isCheap(pattern: string, text: string): boolean {
  if (pattern.length > MAX_INLINE_LENGTH || /\\p/i.test(pattern)) return false;
  const size = patternSize(pattern);
  return size <= MAX_INLINE_SIZE && size * text.length <= MAX_INLINE_WORK;
}

/** Whether the text contains a match. The size is counted first: compiling takes time that the pattern chooses, too. */
export function findPattern(pattern: string, text: string): boolean {
  if (pattern.length > MAX_PATTERN_LENGTH)
    throw invalidPattern(`it must be text of at most ${MAX_PATTERN_LENGTH} characters`);
  if (patternSize(pattern) > MAX_PATTERN_SIZE)
    throw permanentFailure(
      "pattern_too_costly",
      "The pattern is too large. Use fewer or shorter repetitions.",
    );
  const compiled = compilePattern(pattern);
  if (compiled.programSize() * text.length > MAX_PATTERN_WORK)
    throw permanentFailure(
      "pattern_too_costly",
      `The pattern is too complex for a text of ${text.length} characters. Use a shorter one, or "contains".`,
    );
  return compiled.matcher(text).find();
}

function compilePattern(pattern: string): RE2JS {
  try {
    return RE2JS.compile(pattern);
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error;
    throw invalidPattern(error.message.replace(/^error parsing regexp: /, ""));
  }
}

export function invalidPattern(reason: string) {
  return permanentFailure("invalid_pattern", `The pattern of this condition is not valid: ${reason}.`);
}
