/**
 * A step path names one step of one run, and is stored in the journal as text:
 *
 *     fetch                        a step of the workflow
 *     each[3]/fetch                a step in iteration 3 of the foreach `each`
 *     outer[2]/inner[0]/fetch      a step in nested loops
 *     each[3]                      an iteration itself: it runs a whole workflow instead of inner steps
 *
 * Step ids may hold brackets and slashes, so the text alone cannot tell the step `a[0]` from iteration 0 of `a`.
 * Functions that take `isLoop` decide by the loops that are known; without it every `[number]` counts as an iteration.
 */
export interface ParsedStepPath {
  /** Outermost first. */
  iterations: LoopIteration[];
  /** Undefined when the path names an iteration itself. */
  stepId: string | undefined;
}

export interface LoopIteration {
  loopId: string;
  index: number;
}

/** Whether the step at this path is a loop, as `each` in `each[3]/fetch` and `outer[2]/inner` in a nested one. */
export type IsLoop = (path: string) => boolean;

const anyLoop: IsLoop = () => true;

/** The path prefix of the workflow's own steps, outside any loop. */
export const ROOT_PREFIX = "";

/** `each`, 3 → `each[3]` */
export function iterationPath(loopPath: string, index: number): string {
  return `${loopPath}[${index}]`;
}

/** `each`, 3 → `each[3]/`: the paths of all steps in the iteration begin with it. */
export function iterationPrefix(loopPath: string, index: number): string {
  return `${iterationPath(loopPath, index)}/`;
}

/** `each` → `each[`: the paths of all iterations, and of all steps in them, begin with it. */
export function loopPrefix(loopPath: string): string {
  return `${loopPath}[`;
}

/** `each[3]/`, `fetch` → `each[3]/fetch`. Takes the prefix computed, because a run needs the path of every step. */
export function pathUnder(prefix: string, stepId: string): string {
  return prefix + stepId;
}

/** True for the iterations of the loop at `loopPath` and for every step in them. */
export function isWithinLoop(path: string, loopPath: string): boolean {
  return path.startsWith(loopPrefix(loopPath));
}

export function parseStepPath(path: string, isLoop: IsLoop = anyLoop): ParsedStepPath {
  const iterations: LoopIteration[] = [];
  let start = 0;
  for (const { loopPath, index, end } of iterationsIn(path)) {
    if (!isLoop(loopPath)) continue;
    iterations.push({ loopId: loopPath.slice(start), index });
    start = end;
  }
  return { iterations, stepId: start > path.length ? undefined : path.slice(start) };
}

export function printStepPath({ iterations, stepId }: ParsedStepPath): string {
  const segments = iterations.map(({ loopId, index }) => iterationPath(loopId, index));
  return (stepId === undefined ? segments : [...segments, stepId]).join("/");
}

/** True for a step in an iteration and for an iteration itself. */
export function isInLoop(path: string, isLoop: IsLoop = anyLoop): boolean {
  return outermostLoop(path, isLoop) !== undefined;
}

/** `outer[2]/inner[0]/fetch` → `outer`; undefined for a step outside any loop. */
export function outermostLoop(path: string, isLoop: IsLoop = anyLoop): string | undefined {
  for (const { loopPath } of iterationsIn(path)) if (isLoop(loopPath)) return loopPath;
  return undefined;
}

/**
 * The iteration of the loop at `loopPath` that holds `path`, and the path within it: `each[3]/fetch` in `each` is
 * iteration 3, `fetch`. `innerPath` is undefined for the iteration itself.
 */
export function iterationOf(
  path: string,
  loopPath: string,
): { index: number; innerPath: string | undefined } | undefined {
  if (!isWithinLoop(path, loopPath)) return undefined;
  const [, index, innerPath] = /^\[(\d+)\](?:\/(.*))?$/s.exec(path.slice(loopPath.length)) ?? [];
  return index === undefined ? undefined : { index: Number(index), innerPath };
}

/** Every place where the text can be read as an iteration, from the left; `end` is where the path within it begins. */
function* iterationsIn(path: string): Generator<{ loopPath: string; index: number; end: number }> {
  for (const match of path.matchAll(/\[(\d+)\](?:\/|$)/g)) {
    const end = match.index + match[0].length;
    yield {
      loopPath: path.slice(0, match.index),
      index: Number(match[1]),
      end: match[0].endsWith("/") ? end : end + 1,
    };
  }
}
