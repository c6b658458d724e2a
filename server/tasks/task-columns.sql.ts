/** Never input or result: the time of a list does not depend on their size. */
export const SUMMARY_COLUMNS = `id, owner_id, workflow_id, workflow_version, status, trigger, null as input, null as result, error, parent_task_id,
  created_at, started_at, completed_at`;
