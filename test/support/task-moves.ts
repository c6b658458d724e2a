/** From which status to which the row of a task may move, as `from>to`, in a run that does not fail. */
export const MOVES_OF_SUCCESS: readonly string[] = [
  "queued>running",
  "running>queued",
  "running>waiting",
  "running>waiting_approval",
  "waiting>running",
  "waiting>queued",
  "waiting_approval>running",
  "waiting_approval>queued",
  "running>completed",
];
