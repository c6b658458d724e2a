import type { Section } from "./section.ts";

export const steps: Section = {
  title: "Steps",
  promises: [
    {
      id: "7.1",
      text: "`http` returns the parsed body, with status and headers stored separately; a response other than 2xx fails the step.",
      proofs: [
        "server/steps/http.test.ts › status and headers are stored with the output, without cookies",
        "server/steps/http.test.ts › a response other than 2xx fails the step and is stored",
      ],
    },
    {
      id: "7.2",
      text: "`llm` returns text, or an object for a schema, with the token usage.",
      proofs: [
        "server/steps/llm.test.ts › the model's text is the output, stored with the token usage and the model",
        "server/steps/llm.test.ts › with a schema the output is an object, and invalid output is returned to the model once",
      ],
    },
    {
      id: "7.3",
      text: "`file` reads, writes, appends, lists and deletes in the owner's folder; a leading slash is its root; leaving it is `path_outside_folder`.",
      proofs: [
        "server/steps/file.test.ts › a written file can be read, listed and deleted",
        "server/steps/file.test.ts › [S7] %j leads out of the folder and is refused",
        "server/steps/file.test.ts › a leading slash is the folder's own root, and up within the folder is fine",
      ],
    },
    {
      id: "7.4",
      text: "`agent` under its four names calls by id or capability.",
      proofs: [
        "contract/steps/catalogue.test.ts › %s is an agent step",
        "test/teams/agents.test.ts › calls an agent by its id or by a capability, and records the token usage",
      ],
    },
    {
      id: "7.5",
      text: "`approval` returns decision, comment, decidedBy and data; `timeoutMs` and `onTimeout` limit the wait; `context` is shown, and `notifyEmail` sends a link that decides.",
      proofs: [
        "test/approval-links.test.ts › shows its context and due time to the person who decides, with secrets redacted",
        "test/approval-links.test.ts › sends the question, the context and the link, once",
        "server/engine/tests/approvals.test.ts › passes the decision, the comment and the data to the next steps",
        "server/engine/tests/approvals.test.ts › that is not decided in time ends by onTimeout %s as %s",
      ],
    },
    {
      id: "7.5a",
      text: "`approval` waits for `requiredApprovals` of its `approvers`; one rejection ends it; the same person counts once (409 `already_decided`), others are 403 `forbidden`; `decisions` of the output names everyone; concurrent decisions and crashes lose and repeat none.",
      proofs: [
        "contract/approvers.test.ts › %j with the role %s: %s",
        "server/engine/tests/approvers.test.ts › decide together: the run continues with the last approval, and its output names them all",
        "server/engine/tests/approvers.test.ts › who are not named, who have decided, or who are not known are refused",
        "test/approvers.test.ts › is decided by admins while too few approvers are left, and by nobody else",
        "test/approvers.test.ts › is not decided by a service account; one without approvers is",
        "test/approval-races.test.ts › two approvals at the same moment, of two that are needed, end the wait",
        "server/engine/tests/approvers.test.ts › that are not listed are all members who may approve, and one rejection ends the wait",
        "server/engine/tests/approvers.test.ts › are decided as before when the step names none: any caller, once, with the same output",
        "server/engine/tests/approvers.test.ts › count exactly the required approvals of all who decide at once",
        "server/engine/tests/approvers.test.ts › that crash at any write, stored %s, lose no decision and count none twice",
      ],
    },
    {
      id: "7.6",
      text: "`condition` has its twelve operators, `matches` on a linear-time engine; edges carry true or false.",
      proofs: [
        "server/steps/condition.test.ts › %j %s %j is %s",
        "server/steps/condition.test.ts › [S29] a pattern that never ends in a backtracking engine is decided",
        "server/engine/tests/runs.test.ts › takes the branch of a condition and skips the other",
      ],
    },
    {
      id: "7.7",
      text: "`switch` returns its value; edges carry `caseValue`, an edge without it is the default.",
      proofs: [
        "server/engine/tests/graphs.test.ts › of a switch: the matching case or the default runs, and the others are skipped",
        "server/engine/graph/progress.test.ts › a switch takes the matching case, or else the default edge",
      ],
    },
    {
      id: "7.8",
      text: "`transform` takes a template or a JSONata expression in a process with limits, without secrets.",
      proofs: [
        "server/steps/transform.test.ts › a template is returned with its placeholders filled in",
        "server/steps/transform.test.ts › %s is evaluated over the scope",
        "server/steps/transform.test.ts › [S31] an endless expression is stopped, and the next one works",
      ],
    },
    {
      id: "7.8a",
      text: "`code` runs JavaScript and TypeScript in a sandbox with limits on time, memory and output; `code_failed` names the line. It sees the secrets that it lists.",
      proofs: [
        "server/steps/code.test.ts › code reads the values of the run and returns the output",
        "server/steps/code.test.ts › code reads the secrets that the step lists, and no others",
        "server/sandbox/sandbox.test.ts › the failure of %j names its place",
        "server/sandbox/sandbox.test.ts › endless code of one owner never delays another owner",
      ],
    },
    {
      id: "7.9",
      text: "`foreach` processes items with a concurrency of 10, at most 100, and returns results in order.",
      proofs: [
        "server/engine/tests/graphs.test.ts › a loop of ten thousand items, in order",
        "test/conformance/run-rules.test.ts › a foreach processes ten items at once by default and a hundred at most",
        "server/engine/tests/graphs.test.ts › a loop never runs more iterations at once than its limit",
        "server/engine/tests/runs.test.ts › iterates over a list and keeps its order",
      ],
    },
    {
      id: "7.9.1",
      text: "`while` repeats its steps while a comparison holds, with `item` and `index`, at most `maxIterations` times; a crash or a rerun repeats no completed iteration.",
      proofs: [
        "server/engine/tests/while.test.ts › a while repeats its steps with the output of the iteration before until the comparison fails",
        "server/engine/tests/while.test.ts › at maxIterations a while with onLimit %s is %s",
        "server/engine/tests/while.test.ts › a rerun after a failed iteration repeats neither completed iterations nor their checks",
        "server/engine/tests/faults.test.ts › a run that crashes at any write ends like the same run without faults",
      ],
    },
    {
      id: "7.9.2",
      text: "`wait_event` continues once with an event of its name and key from `POST /api/events`, with an event sent before, or by its resume URL (`POST /resume/{token}`); a timeout fails, continues, or takes the `timeout` edge.",
      proofs: [
        "test/wait-events.test.ts › an event continues the step that waits for its name and key, with a login or an API key",
        "test/wait-events.test.ts › a resume URL is sent by an earlier step and works once, without a login",
        "server/engine/tests/wait-events.test.ts › an event that is sent before a step waits is kept, and the first step takes it",
        "server/engine/tests/wait-events.test.ts › the same id is accepted once, before and after a step has taken the event",
        "server/engine/tests/wait-events.test.ts › a process that crashes at write %i of a wait neither loses nor repeats an event",
        "server/engine/tests/wait-events.test.ts › when no event arrives in time the run %s",
      ],
    },
    {
      id: "7.9.0a",
      text: "`POST /api/expressions/evaluate` returns the values of expressions with given values, or why one failed, from the sandbox of the `code` step; nothing is stored.",
      proofs: [
        "test/code-steps.test.ts › expressions are evaluated with given values for a preview, in the sandbox, and only with a login",
        "server/expressions/expression-preview.test.ts › an expression that fails or reaches a limit of the sandbox is a result that says why",
      ],
    },
    {
      id: "7.9.2a",
      text: "`GET /api/tasks/{id}/event-waits` lists the waiting steps with name, key, time limit and resume URL, to the owner of the task only.",
      proofs: [
        "test/wait-events.test.ts › the owner of a run sees what it waits for, with a resume URL that works",
      ],
    },
    {
      id: "7.9.3",
      text: "`foreach` with `onItemError: continue` runs the other items and returns the errors of the failed ones; `batchSize` groups the list.",
      proofs: [
        "server/engine/tests/item-errors.test.ts › with onItemError continue the other items run, and the output of a failed one is its error",
        "server/engine/tests/item-errors.test.ts › a failed item is not repeated after a crash or a rerun",
        "server/engine/tests/item-errors.test.ts › batchSize makes each item a list of so many items",
      ],
    },
    {
      id: "7.9.4",
      text: "`settings.timeoutMs` of a workflow fails its runs with `run_timeout`, also those that wait, after a restart, and cancels the tasks that they started.",
      proofs: [
        "server/engine/tests/run-timeout.test.ts › a run that takes longer than its time limit fails, in a step that never ends",
        "server/engine/tests/run-timeout.test.ts › a run that waits fails at its time limit, also after a restart",
        "server/engine/tests/run-timeout.test.ts › the time limit cancels the tasks that the run started",
        "test/run-settings.test.ts › settings of runs are stored with the workflow, merged, cleared with null and copied",
      ],
    },
    {
      id: "7.9.5",
      text: "A failed run starts the error workflow of its workflow or account (`GET /api/account/error-workflow`, `PUT /api/account/error-workflow`) exactly once, and never one for itself.",
      proofs: [
        "test/error-workflows.test.ts › a failed run starts the error workflow of its workflow once, with the run as its input",
        "test/error-workflows.test.ts › the error workflow of the account runs for workflows without one, and never for error workflows",
        "server/error-workflows/error-runs.test.ts › a process that crashes after the start, before it removes the row, starts no second run",
      ],
    },
    {
      id: "7.9.6",
      text: "`settings.concurrency` limits the runs of a workflow, or with one key, in all processes: `queue`, `skip` (409 `run_skipped`) or `replace`.",
      proofs: [
        "server/engine/tests/run-groups.test.ts › queue: a second run waits, and they start in the order in which they came",
        "server/engine/tests/run-groups.test.ts › a key counts runs with the same value apart",
        "server/engine/tests/run-groups.test.ts › skip: a second run is refused, and the same idempotency key returns the first",
        "server/engine/tests/run-groups.test.ts › replace: a new run cancels the oldest, and a limit of two keeps two",
        "server/engine/tests/run-groups.test.ts › two processes never run more members of a group than its limit",
        "test/run-settings.test.ts › a run that is skipped is 409 for a call and recorded for a webhook",
        "server/schedules/schedule-loop.test.ts › a run that is skipped with %s is recorded at the schedule, which goes on",
      ],
    },
    {
      id: "7.10",
      text: "`workflow` runs another workflow as a separate task; more than 20 levels are `depth_exceeded`.",
      proofs: [
        "server/engine/tests/runs.test.ts › runs a sub-workflow as a separate task",
        "server/engine/tests/graphs.test.ts › may be nested twenty levels deep and no deeper",
      ],
    },
    {
      id: "7.11",
      text: "`delay` waits for seconds or until a time, also across a restart.",
      proofs: [
        "server/engine/tests/restarts.test.ts › a delay keeps its due time and a retry its count across a restart",
        "test/conformance/run-rules.test.ts › a delay accepts a time, and an unreadable time fails the step",
      ],
    },
    {
      id: "7.12",
      text: "`document_query` returns an answer with sources.",
      proofs: [
        "test/documents/documents.test.ts › a step queries the documents of its owner and returns the answer with its sources",
        "server/steps/document-query.test.ts › the step queries the owner's documents with its fields",
      ],
    },
    {
      id: "7.13",
      text: "`mcp` calls a tool of a server over HTTP.",
      proofs: [
        "server/steps/mcp.test.ts › a tool's structured content is the output, and JSON text is parsed",
      ],
    },
    {
      id: "7.14",
      text: "`email` sends through the configured SMTP server.",
      proofs: [
        "server/steps/email.test.ts › an email reaches the server, with the same message id at every attempt",
        "server/steps/email.test.ts › without SMTP settings the error names the missing one",
      ],
    },
    {
      id: "7.15",
      text: "Files of `file` steps: `GET /api/files` lists a folder, `GET /api/files/content` downloads a file, `DELETE /api/files` removes a file or a folder; a path never leaves the folder of its owner.",
      proofs: [
        "test/files.test.ts › files that steps wrote are listed folder by folder, downloaded and deleted",
        "test/files.test.ts › a path never leaves the folder of its owner, and each mistake is named",
      ],
    },
    {
      id: "7.16",
      text: "Files travel between steps as references: streamed in and out, limited in size, read by their owner only (`GET /api/run-files/{id}`), and deleted with the last task that uses them.",
      proofs: [
        "test/run-files.test.ts › a download becomes a file reference, and its bytes are downloaded by the owner only",
        "test/run-files.test.ts › a file is uploaded as the body with its length, and sent again after a redirect",
        "server/run-files/run-files.test.ts › a file over a limit fails while it arrives and leaves no row and no bytes",
        "server/run-files/run-files.test.ts › a file is kept while a task uses it, and deleted with the last one",
        "test/run-files-crash.test.ts › what a kill interrupts is done once more: a download without a file left behind, code and the answer of a chat",
        "test/forms.test.ts › a form takes files as references, once for repeated sends",
        "test/webhook-requests.test.ts › files of a form and binary bodies are references in the input, and a repeated delivery finds its task",
      ],
    },
    {
      id: "7.17",
      text: "`data` filters, sorts, limits, deduplicates, groups, merges, splits and picks lists; what is no list is `invalid_field`, and a join over the budget is refused before it is built.",
      proofs: [
        "contract/data/operations.test.ts › something that is no list is refused with the lists that it has",
        "server/steps/data.test.ts › a join that would exceed the budget of a value is refused",
        "server/steps/data.test.ts › many items leave the event loop free in between, and a cancelled step ends",
      ],
    },
    {
      id: "7.18",
      text: "Log lines of a step are sent live, kept with its attempt, redacted and bounded.",
      proofs: [
        "server/engine/tests/step-logs.test.ts › are in its result and its attempts, each attempt with its own",
        "server/engine/tests/step-logs.test.ts › are sent live, and the result of the running step has them",
        "server/engine/tests/step-logs.test.ts › carry no secret of the run",
        "server/engine/run/step-log.test.ts › keeps 200 lines, and a last one tells how many were left out",
      ],
    },
    {
      id: "7.19",
      text: "`convert` reads and writes CSV, Excel, JSON lines, JSON, HTML, XML, Markdown, zip and text in a worker with limits; `unreadable_file` for content of another kind, bombs and entities; formulas are written as text.",
      proofs: [
        "server/steps/convert.test.ts › a written sheet is read back with its types, and text stays text",
        "server/steps/convert.test.ts › text that a spreadsheet would run as a formula is written as text, unless formulas are allowed",
        "server/steps/convert.test.ts › is refused as %s",
        "server/steps/convert.test.ts › a bomb is stopped while it inflates, and leaves no file",
        "server/steps/convert.test.ts › %s is refused",
      ],
    },
    {
      id: "7.29",
      text: "`foreach` over a CSV or JSON lines file reads only the rows of the iterations that run, in batches, also after a restart.",
      proofs: [
        "test/file-loops.test.ts › a loop over a file gets its rows in batches, in order",
        "test/file-loops.test.ts › after a restart a loop reads the rows of the iterations that are left",
        "server/convert/file-index.test.ts › rows are split where they begin, whatever their cells contain",
      ],
    },
    {
      id: "7.20",
      text: "`store` keeps values per workflow or workspace with expiry; increments and compare-and-set are atomic, and each step writes once, also after a crash. `GET /api/store`, `GET /api/store/{scope}/{key}`, `PUT /api/store/{scope}/{key}` and `DELETE /api/store/{scope}/{key}` read and change them; an unknown one is 404 `store_value_not_found`.",
      proofs: [
        "server/steps/store.test.ts › an increment whose process crashes before its result is recorded happens once",
        "server/triggers/trigger-crash.test.ts › [R5] a process that crashes at any write starts each item of a feed once, and each run increments once",
        "server/store/key-value-store.test.ts › no increment is lost between processes, and the expiry is that of the first",
        "server/store/key-value-store.test.ts › of several compare_and_set one wins",
        "server/store/key-value-store.test.ts › the values of an owner are limited in number, bytes and size",
        "test/store.test.ts › a value is put, read, listed and deleted, for the workspace, a workflow or an agent",
        "server/agents/agent-tools.test.ts › is kept under the id of the agent, recalled by key or all at once, and forgotten",
      ],
    },
    {
      id: "7.21",
      text: "`sql` runs parameterized queries and transactions on PostgreSQL, MySQL, MariaDB and SQLite files of the owner, within limits of rows and bytes, and streams rows into a file for `foreach`. SQL text with a placeholder is refused when the workflow is saved; a refused query is `query_failed`.",
      proofs: [
        "server/databases/sql/postgres.test.ts › values of every type are predictable",
        "server/databases/sql/postgres.test.ts › a cancelled step leaves no statement on the server",
        "server/databases/sql/postgres.test.ts › the address of a name is looked up once, by the guard",
        "server/databases/sql/sqlite.test.ts › statements that reach beyond the file are refused",
        "server/databases/sql/sqlite.test.ts › a write that fails or is cancelled leaves the file as it was",
        "test/databases.test.ts › rows of a query are streamed into a file that a loop takes, batch by batch",
        "test/databases.test.ts › SQL text with a placeholder is refused when the workflow is saved",
      ],
    },
    {
      id: "7.22",
      text: "`redis` runs a command on a Redis server and `s3` reads, writes, lists, deletes and signs objects, both through a connection and the egress guard.",
      proofs: [
        "server/databases/redis/redis-step.test.ts › a redirect of a cluster is followed through the guard",
        "server/databases/redis/redis-step.test.ts › with TLS the certificate must be that of the host, not of the address",
        "server/databases/s3/s3-step.test.ts › a signed URL holds no secret and goes to the endpoint of the connection",
        "test/databases.test.ts › redis and s3 steps use their connections",
      ],
    },
  ],
};
