/**
 * Condition on the table `task`: a test made in the editor, or a run that such a test started. A test runs single steps or
 * a draft. It says nothing about how a workflow does, and the person who made it sees its end.
 */
export const isTestRun = (
  task: string,
): string => `(${isTest(task)} or exists (select 1 from task as test_root
  where test_root.id = ${task}.root_task_id and ${isTest("test_root")}))`;

const isTest = (task: string): string => `(${task}.trigger = 'partial' or ${task}.workflow_version < 0)`;
