/**
 * SQL condition on the table `task`: a test made in the editor, which runs single steps or a draft, or a run that such a
 * test started. Statistics and notifications leave them out: the person who tests sees the result.
 */
export const isTestRun = (
  task: string,
): string => `(${isTest(task)} or exists (select 1 from task as test_root
  where test_root.id = ${task}.root_task_id and ${isTest("test_root")}))`;

const isTest = (task: string): string => `(${task}.trigger = 'partial' or ${task}.workflow_version < 0)`;
