import { notFound } from "../lib/errors.ts";
import { isId } from "../lib/ids.ts";
import type { Runs } from "./runs.ts";

/** Chooses by the id: sessions of teams, and tasks. */
export function createAllRuns({ tasks, sessions }: { tasks: Runs; sessions: Runs }): Runs {
  function of(id: string): Runs {
    if (isId("task", id)) return tasks;
    if (isId("sess", id)) return sessions;
    throw notFound("task", id);
  }
  return {
    read: async (ownerId, id) => of(id).read(ownerId, id),
    settled: async (ownerId, id, signal) => of(id).settled(ownerId, id, signal),
    watch: (id, onProgress) => of(id).watch(id, onProgress),
    cancel: async (ownerId, id) => of(id).cancel(ownerId, id),
    approvals: async (ownerId, id, userId) => of(id).approvals(ownerId, id, userId),
    decide: async (ownerId, id, answer) => of(id).decide(ownerId, id, answer),
  };
}
