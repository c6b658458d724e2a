/** Longest pattern of `matches`, in characters. */
export const MAX_PATTERN_LENGTH = 1000;
/** Most instructions of its program: `(a{100}){100}` has a few characters and ten thousand instructions. */
export const MAX_PATTERN_SIZE = 10_000;

const ATOM =
  /\\Q.*?(?:\\E|$)|\\[pP](?:\{[^}]*\}|.)|\\x\{[^}]*\}|\\.|\[\^?\]?(?:\\.|\[:\^?\w+:\]|[^\]\\])*\]|[^()|]/suy;
const REPETITION = /[*+?]\??|\{(\d*),?(\d*)\}\??/y;

/**
 * An upper estimate of the instructions that an RE2 pattern compiles to, without compiling it: a counted repetition
 * copies what it repeats. The time to compile and to match is proportional to it.
 */
export function patternSize(pattern: string): number {
  // The sizes of the open groups, the innermost one last.
  const groups = [0];
  let position = 0;
  const addToGroup = (size: number): void => {
    groups[groups.length - 1]! += size;
  };
  /** Adds the last atom or group, with the repetitions that follow it. */
  const addRepeated = (size: number): void => {
    let total = size;
    for (let repeat = take(REPETITION); repeat !== undefined; repeat = take(REPETITION)) {
      const counts = [repeat[1], repeat[2]].map(Number).filter((count) => count > 0);
      // Each copy of a range such as {2,9} has a branch in front of it.
      total = (total + 1) * Math.max(1, ...counts);
    }
    addToGroup(total);
  };
  function take(expected: RegExp): RegExpExecArray | undefined {
    expected.lastIndex = position;
    const found = expected.exec(pattern);
    if (found === null || found[0] === "") return undefined;
    position = expected.lastIndex;
    return found;
  }
  while (position < pattern.length) {
    const character = pattern[position];
    if (character === "(") {
      position += 1;
      groups.push(2);
    } else if (character === ")" && groups.length > 1) {
      position += 1;
      addRepeated(groups.pop()!);
    } else {
      const atom = take(ATOM);
      if (atom === undefined) position += 1;
      // A quoted text is as long as its characters; every other atom is one instruction.
      addRepeated(atom?.[0].startsWith("\\Q") ? atom[0].length : 1);
    }
  }
  return groups.reduce((sum, size) => sum + size, 0);
}
