/** A task that has ended, in SQL. */
export const FINAL = "('completed', 'failed', 'cancelled', 'rejected')";

/** A task that waits for something to happen, in SQL. */
export const WAITING = "('waiting', 'waiting_approval')";
