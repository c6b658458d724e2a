import { createContext, useContext } from "react";
import type { Graph, Task } from "../../api/types.ts";
import type { Timed, TimeScale } from "../../flow/timeline.ts";

/** What every row of a timeline needs. */
export interface TimelineState {
  task: Task;
  graph: Graph;
  isLive: boolean;
  scale: TimeScale;
  /** By the clock of the service; undefined when the run has ended. */
  now: number | undefined;
  onlyProblems: boolean;
  /** The path of the selected step, such as `each[2]/fetch`. */
  selected: string | undefined;
  onSelect: (path: string) => void;
  /** The steps of all items of a loop: the scale is broken where all of them waited. */
  reportLoopWork: (path: string, work: readonly Timed[]) => void;
  isOpen: (path: string) => boolean;
  toggle: (path: string) => void;
}

export const TimelineContext = createContext<TimelineState | undefined>(undefined);

export function useTimeline(): TimelineState {
  const state = useContext(TimelineContext);
  if (state === undefined) throw new Error("A timeline row is outside of its timeline.");
  return state;
}
