/** Undo and redo over whole states. States are immutable and share structure, so an entry costs little memory. */
export interface History<State> {
  past: readonly State[];
  present: State;
  future: readonly State[];
  /** Consecutive edits with the same tag are one entry: typing a word is one undo, not one per letter. */
  tag: string | undefined;
}

const MAX_ENTRIES = 200;

export function beginHistory<State>(present: State): History<State> {
  return { past: [], present, future: [], tag: undefined };
}

export function record<State>(history: History<State>, next: State, tag?: string): History<State> {
  if (next === history.present) return history;
  const extendsLast = tag !== undefined && tag === history.tag;
  return {
    past: extendsLast ? history.past : [...history.past.slice(1 - MAX_ENTRIES), history.present],
    present: next,
    future: [],
    tag,
  };
}

export function undo<State>(history: History<State>): History<State> {
  const previous = history.past.at(-1);
  if (previous === undefined) return history;
  return {
    past: history.past.slice(0, -1),
    present: previous,
    future: [history.present, ...history.future],
    tag: undefined,
  };
}

export function redo<State>(history: History<State>): History<State> {
  const [next, ...later] = history.future;
  if (next === undefined) return history;
  return { past: [...history.past, history.present], present: next, future: later, tag: undefined };
}
