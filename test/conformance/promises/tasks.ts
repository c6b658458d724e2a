import type { Section } from "./section.ts";

export const tasks: Section = {
  title: "Tasks",
  promises: [
    {
      id: "10.1",
      text: "A task has id, workflow and version, status, trigger, input, result, error, step results, times; its trigger says how it was started.",
      proofs: [
        "server/engine/tests/runs.test.ts › passes outputs from step to step and ends with the last output",
        "server/engine/tests/calls.test.ts › contains the trigger of each task",
      ],
    },
    {
      id: "10.2",
      text: "A task runs the version it started with.",
      proofs: [
        "server/engine/tests/restarts.test.ts › a task runs the version it started with, also when its workflow is deleted",
      ],
    },
    {
      id: "10.3",
      text: "Only allowed status transitions occur.",
      proofs: [
        "test/fuzz/task-model.test.ts › tasks that are started, approved, cancelled, rerun, replayed and crashed in any order keep valid states",
        "server/engine/tests/faults.test.ts › a run that crashes at any write ends like the same run without faults",
      ],
    },
    {
      id: "10.4",
      text: "A step result has its status, input, output, error, attempts and times.",
      proofs: [
        "server/engine/tests/runs.test.ts › passes outputs from step to step and ends with the last output",
        "server/engine/tasks/step-results.test.ts › one result per step, with the fields of its runner and the duration since its first attempt",
      ],
    },
    {
      id: "10.5",
      text: "`result.outputs` maps final steps to outputs; `output` is that of `responseStepId`, else of the only final step.",
      proofs: [
        "test/conformance/run-rules.test.ts › the output is that of responseStepId, else of the only final step that ran, else null",
      ],
    },
    {
      id: "10.6",
      text: "`GET /api/tasks` filters by status and workflow.",
      proofs: [
        "server/engine/tests/calls.test.ts › is filtered by status and workflow, newest first, page by page",
      ],
    },
    {
      id: "10.7",
      text: "`GET /api/tasks/{id}` reads one.",
      proofs: [
        "server/engine/tests/runs.test.ts › passes outputs from step to step and ends with the last output",
      ],
    },
    {
      id: "10.8",
      text: "`POST /api/tasks/{id}/cancel` ends a task and what it started; an ended task is 409 `task_finished`.",
      proofs: [
        "server/engine/tests/cancelling.test.ts › aborts a call in flight, and its response is recorded nowhere",
        "server/engine/tests/cancelling.test.ts › ends sub-workflows with their caller, also in loops",
        "test/conformance/run-rules.test.ts › cancelling an ended task is 409 task_finished",
        "server/engine/tests/parent-ends.test.ts › cancels its sub-workflows and theirs, and closes their approvals",
      ],
    },
    {
      id: "10.9",
      text: "`GET /api/tasks/{id}/events` streams in order; `Last-Event-ID` resumes without gap or repeat.",
      proofs: [
        "server/engine/tests/events.test.ts › come in order, and the stream ends after the end of the task",
        "server/engine/tests/events.test.ts › resume after the last one received, and the stream of a client that has all of them ends",
        "server/engine/tests/events.test.ts › are delivered live, including started steps, and a client that reconnects misses and repeats nothing",
      ],
    },
    {
      id: "10.10",
      text: "`POST /api/tasks/{id}/rerun-from-failed` keeps successful results byte for byte and runs only the failed step and the steps after it.",
      proofs: [
        "server/engine/tests/rerun.test.ts › keeps results byte for byte and runs only steps that had not succeeded",
        "server/engine/tests/rerun.test.ts › inside a loop repeats the failed iterations",
      ],
    },
    {
      id: "10.11",
      text: "`GET /api/tasks/{id}/steps/{stepId}/attempts` lists each attempt of a step, newest first.",
      proofs: [
        "server/engine/tests/attempts.test.ts › each attempt of a step has its input, output, error and response, newest first",
      ],
    },
    {
      id: "10.12",
      text: "A rerun uses the version the task started with, or `version`: `current`, `draft` or a number.",
      proofs: [
        "server/engine/tests/rerun.test.ts › runs the version of the task, or the current one on request",
        "server/engine/tests/rerun.test.ts › on the current version runs every iteration of an edited loop again, with its new list",
        "test/draft-runs.test.ts › from the failed step runs the draft, and names what it keeps",
        "test/draft-runs.test.ts › on a version that changed completed steps runs these and the steps after them again",
      ],
    },
    {
      id: "10.13",
      text: "Rerunning a task that has not failed is 409 `task_not_failed`.",
      proofs: [
        "server/engine/tests/rerun.test.ts › is refused for a task that has not failed, and happens once",
      ],
    },
    {
      id: "10.14",
      text: "`POST /api/tasks/{id}/resume` returns `running` or `rejected`; an empty body approves; exactly one decision counts (409 `task_not_waiting`); no GET decides.",
      proofs: [
        "server/engine/tests/approvals.test.ts › [S32] accepts an empty body, and refuses a second decision",
        "server/engine/tests/approvals.test.ts › that is rejected ends the task as rejected, and no later step runs",
        "server/engine/tests/approvals.test.ts › [S32] is not decided by a GET, another user or a guessed id",
      ],
    },
    {
      id: "10.14a",
      text: "`GET /api/approvals?mine=true` lists what waits for the caller, with approvers, progress and `canDecide`; `GET /api/approvers` lists the members who may decide; `GET /api/tasks/{id}/decisions` lists who decided, why and how; the link of an approver is personal, sent by email or shown to them and to admins.",
      proofs: [
        "test/approvers.test.ts › is decided by them alone, each once, and the record says who, why and how",
        "test/approvers.test.ts › is listed with its progress, and with mine=true for those who can still decide",
        "test/approvers.test.ts › is personal: it decides in the name of its approver, and counts with their login",
        "test/approvers.test.ts › of another approver is shown to admins only, and the record names who was shown it",
        "test/approvers.test.ts › is sent to each approver by email, and an address that is none is reported",
      ],
    },
    {
      id: "10.15",
      text: "After an approval the run continues from the next step with its state, also after a restart.",
      proofs: [
        "server/engine/tests/restarts.test.ts › an approval opened before a restart is decided after it, and the run continues",
      ],
    },
    {
      id: "10.16",
      text: "`POST /api/tasks/{id}/replay` → 201, a new task linked by `parentTaskId`.",
      proofs: [
        "server/engine/tests/rerun.test.ts › is a new task linked to the old one",
        "server/engine/tests/rerun.test.ts › from a step keeps earlier results and takes the edited input",
      ],
    },
    {
      id: "10.17",
      text: "`GET /api/approvals` lists the approvals that wait for a decision.",
      proofs: ["test/conformance/run-rules.test.ts › approvals that wait for a decision are listed"],
    },
    {
      id: "10.21",
      text: "`POST /api/tasks/{id}/approvals/{stepId}/link` returns a link to the owner. `GET /api/approval-links/{token}` shows the approval without a login, `POST /api/approval-links/{token}` decides it once.",
      proofs: [
        "test/approval-links.test.ts › is created only by the owner, for an approval that waits",
        "test/approval-links.test.ts › [S32] decides without a login, once, with a comment that the run keeps",
        "test/approval-links.test.ts › and a decision on the page at the same time decide once",
      ],
    },
    {
      id: "10.22",
      text: "`POST /api/tasks/{id}/approvals/{stepId}/notify` sends the emails of an open approval again; `remindBeforeMs` does so before the time limit.",
      proofs: [
        "test/approval-links.test.ts › is sent again on request and before the time limit, as a reminder with the same link",
        "test/approval-links.test.ts › that failed for good is sent again on request",
      ],
    },
    {
      id: "10.23",
      text: "`GET /api/tasks/{id}/steps/{stepId}/child` returns the task of the sub-workflow that a step or an item of a loop started, also while it runs.",
      proofs: [
        "server/engine/tests/calls.test.ts › is found by its step, also while it waits and for each item of a loop",
      ],
    },
    {
      id: "10.19",
      text: "Values over `MAX_RESPONSE_BYTES` in one response are `{truncated, bytes, url}`; `GET /api/tasks/{id}/steps/{stepId}/output` and `GET /api/tasks/{id}/result` return them whole.",
      proofs: [
        "test/large-responses.test.ts › a task with more output than fits is answered with links, and each link has the whole output",
        "test/large-responses.test.ts › a result that is too large is answered as a link to the result",
      ],
    },
    {
      id: "10.20",
      text: "A step whose value is over `MAX_VALUE_BYTES`, or whose task holds more than `MAX_TASK_OUTPUT_BYTES`, fails with `output_too_large` before the value is built.",
      proofs: [
        "server/engine/tests/budgets.test.ts › that lists the previous output ten times, again and again, fails its step",
        "server/engine/tests/budgets.test.ts › fail the step that would exceed it, and what was recorded stays",
      ],
    },
    {
      id: "10.30",
      text: "`GET /api/stats` counts the caller's runs by hour, six hours or day with success rate, percentiles and the range before; `GET /api/stats/failures` groups failed runs by error; `GET /api/stats/workflows` lists the last 20 runs of each workflow. Reruns and deletions change the counts at once.",
      proofs: [
        "server/stats/stats.test.ts › the series counts runs by the hour in which they ended, and open runs by the hour in which they began",
        "server/stats/stats.test.ts › an account sees only its own runs, and a workflow only its own",
        "server/stats/stats.test.ts › a rerun takes the failed run out of its hour, and the end of the rerun counts",
        "server/stats/stats.test.ts › failures are grouped by workflow, step, code and message without ids and numbers",
        "server/stats/stats.test.ts › the last 20 runs of each workflow are listed, newest first",
      ],
    },
    {
      id: "10.18",
      text: "An accepted task is on disk before the response; a crash loses no task and repeats no recorded step.",
      proofs: [
        "test/chaos/kill.test.ts › [R1] repeated kill -9 under load: nothing acknowledged is lost, no recorded step is executed again",
        "test/chaos/crash-points.test.ts › a run whose process crashes at a write (%s) continues where its journal ends",
        "test/accepted-calls.test.ts › [R2] every task acknowledged with 200 survives a kill -9, and a repeated call creates no second one",
        "server/engine/tests/optimistic-start.test.ts › no effect happens before the task is stored, not even in the first step",
        "test/chaos/postgres.test.ts › [R2] three processes and their server under faults of seven kinds: nothing lost, nothing repeated, no gap",
      ],
    },
    {
      id: "10.31",
      text: "`POST /api/tasks/{id}/retry-now` starts a waiting retry at once.",
      proofs: [
        "server/engine/tests/retry-now.test.ts › a waiting retry of a parked task starts at once",
        "server/engine/tests/retry-now.test.ts › a step that waits for no retry is 409, and the task of another user is 403",
      ],
    },
    {
      id: "10.32",
      text: "`GET /api/tasks/{id}/steps/{stepId}/items` lists the items of a loop with their steps, `GET /api/tasks/{id}/journal` the events of a task, in pages.",
      proofs: [
        "server/engine/tests/loop-items.test.ts › items are listed in order with their steps, page by page",
        "server/engine/tests/loop-items.test.ts › the journal lists the events of a task in pages",
      ],
    },
    {
      id: "10.33",
      text: "`GET /api/tasks/counts` counts the tasks that match a filter by status; `POST /api/tasks/bulk` cancels or reruns many, each with its own result.",
      proofs: [
        "test/task-list.test.ts › tasks are filtered by time, trigger, version, error and text",
        "test/task-list.test.ts › many tasks are canceled or rerun, each with its own result",
      ],
    },
  ],
};
