/** Undo and redo over whole states: they are immutable, so a step costs one reference. */
export interface History<State> {
  past: readonly State[];
  present: State;
  future: readonly State[];
  /** Edits with the same tag in a row are one step back: typing a sentence is not forty of them. */
  tag: string | undefined;
}

const MOST = 200;

export function beginHistory<State>(present: State): History<State> {
  return { past: [], present, future: [], tag: undefined };
}

export function record<State>(history: History<State>, next: State, tag?: string): History<State> {
  if (next === history.present) return history;
  const joins = tag !== undefined && tag === history.tag;
  return {
    past: joins ? history.past : [...history.past.slice(1 - MOST), history.present],
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
