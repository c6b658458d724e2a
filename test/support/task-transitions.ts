/** The status transitions (`from>to`) that a task may make in a run that does not fail. */
export const SUCCESS_TRANSITIONS: readonly string[] = [
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
