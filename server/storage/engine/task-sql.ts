/** The statuses of a task that has ended. */
export const FINAL = "('completed', 'failed', 'cancelled', 'rejected')";

const WAITING = "('waiting', 'waiting_approval')";

export const TASK_COLUMNS = `id, owner_id, lane, workflow_id, workflow_version, status, trigger, input, options, result, result_ref, error,
  parent_task_id, parent_step, root_task_id, depth, epoch, wake, worker_id, run_at, lives, lives_seq, retry_requests,
  accepted_by, created_at, started_at, completed_at`;

/**
 * Ends the wait of the tasks that `where` selects. A parked task becomes due at `$now`. A running task sees by the new
 * `wake` that it must check again before it parks.
 */
export function wakeTasks(where: string): string {
  return `update task set wake = wake + 1,
      run_at = case when status in ${WAITING} then $now else run_at end,
      status = case when status in ${WAITING} then 'queued' else status end
    where ${where}`;
}
