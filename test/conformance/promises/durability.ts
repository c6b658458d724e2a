import type { Section } from "./section.ts";

export const durability: Section = {
  title: "Durability guarantees",
  promises: [
    {
      id: "R1",
      text: "A process can be killed at any moment, even during a write: nothing acknowledged is lost and no recorded step runs again.",
      proofs: [
        "test/chaos/kill.test.ts › [R1] repeated kill -9 under load: nothing acknowledged is lost, no recorded step is executed again",
        "test/chaos/crash-points.test.ts › a run whose process crashes at a write (%s) continues where its journal ends",
        "server/engine/tests/faults.test.ts › a run that crashes at any write ends like the same run without faults",
      ],
    },
    {
      id: "R2",
      text: "Everything acknowledged with a 2xx exists after a kill.",
      proofs: [
        "test/accepted-calls.test.ts › [R2] every task acknowledged with 200 survives a kill -9, and a repeated call creates no second one",
        "test/chaos/postgres.test.ts › [R2] three processes and their server under faults of seven kinds: nothing lost, nothing repeated, no gap",
      ],
    },
    {
      id: "R3",
      text: "Equal deliveries create one task and get the same response, however many arrive at once.",
      proofs: [
        "test/public-calls.test.ts › [R3] fifty concurrent calls with one idempotency key create one task and get the same response",
        "test/webhook-calls.test.ts › [R3] fifty concurrent equal deliveries start one task, by header and by the vendor's delivery id",
        "test/processes/work.test.ts › fifty equal calls to two processes with one idempotency key make one task",
      ],
    },
    {
      id: "R4",
      text: "A process that resumes after its lease expired records nothing, and sends nothing, for tasks that others have taken over.",
      proofs: [
        "test/chaos/suspended.test.ts › [R4] a process that was suspended in the middle of a step sends nothing after its task was taken over",
        "server/storage/engine/task-recovery.test.ts › [R4] a process that resumes while its tasks are taken over waits and then sees that they are gone",
        "server/engine/tests/stopping.test.ts › one that was suspended past its lease can record nothing afterwards",
        "server/engine/testing/store-contract-recording.ts › stores nothing of a stale epoch, also in a group with valid writes",
      ],
    },
    {
      id: "R5",
      text: "Schedules handle downtime, clock jumps and daylight saving time.",
      proofs: [
        "server/schedules/occurrences.test.ts › [R5] after three hours of downtime the misfire policy decides: one run, none, or all of them",
        "server/schedules/occurrences.test.ts › [R5] a clock that jumps back does not repeat a run",
        "test/schedules.test.ts › [R5] a run missed while the service was down starts at the next start",
        "server/schedules/occurrences.test.ts › [R5] a pattern that names hours runs once at each of its times on the day with a repeated hour",
        "server/schedules/occurrences.test.ts › [R5] a time that the clock skips runs when it is skipped, once for all such times",
      ],
    },
    {
      id: "R6",
      text: "A task that takes its process down fails with the reason; tasks that ran at the same time continue.",
      proofs: [
        "test/chaos/poison.test.ts › [R6] a task that crashes the service is failed after three crashes, and other tasks are not",
      ],
    },
    {
      id: "R7",
      text: "Delays, retries and approvals continue after a restart.",
      proofs: [
        "server/engine/tests/restarts.test.ts › a delay keeps its due time and a retry its count across a restart",
        "server/engine/tests/restarts.test.ts › an approval opened before a restart is decided after it, and the run continues",
      ],
    },
    {
      id: "R8",
      text: "Exactly one decision counts, even among simultaneous ones.",
      proofs: [
        "server/engine/tests/races.test.ts › counts once among concurrent approvals, rejections and reruns",
      ],
    },
    {
      id: "R9",
      text: "A rerun keeps every result, in loops, branches and sub-workflows.",
      proofs: [
        "server/engine/tests/rerun.test.ts › keeps results byte for byte and runs only steps that had not succeeded",
        "server/engine/tests/rerun.test.ts › inside a loop repeats the failed iterations",
        "server/engine/tests/rerun.test.ts › inside a sub-workflow continues the task of the sub-workflow",
      ],
    },
    {
      id: "R10",
      text: "Cancelling ends calls, waits and sub-workflows, and nothing is written after it.",
      proofs: [
        "server/engine/tests/cancelling.test.ts › aborts a call in flight, and its response is recorded nowhere",
        "server/engine/tests/races.test.ts › while a write is in flight leaves nothing behind",
        "server/engine/tests/parent-ends.test.ts › a cancelled task leaves sub-workflows alone that continue without it",
      ],
    },
    {
      id: "R11",
      text: "A task continues after its caller disconnects or times out.",
      proofs: [
        "test/public-calls.test.ts › [R11] a run that exceeds the time limit is 504 with its task id and continues",
        "test/public-calls.test.ts › [R11] a task completes after its caller disconnects",
      ],
    },
    {
      id: "R12",
      text: "Retries wait 1 s, 2 s, 4 s … and honour `Retry-After`.",
      proofs: [
        "server/engine/run/retry.test.ts › wait 1 s, 2 s, 4 s … and never more than an hour",
        "server/engine/run/retry.test.ts › honour the pause that the remote side asked for, up to an hour",
      ],
    },
    {
      id: "R13",
      text: "Branches run in parallel and are joined as the step specifies.",
      proofs: [
        "server/engine/tests/graphs.test.ts › run in parallel: each call gets a response only when both have arrived",
        "server/engine/tests/graphs.test.ts › are joined on the first edge if configured, and the step runs once",
        "server/engine/tests/join-first.test.ts › after a crash at any write the branch that was recorded first is the winner",
      ],
    },
    {
      id: "R14",
      text: "Long loops and large outputs are kept out of memory and of lists.",
      proofs: [
        "server/engine/tests/graphs.test.ts › a loop of ten thousand items, in order",
        "server/engine/tests/graphs.test.ts › five megabytes of output are stored as a blob, whole in the task and absent from lists",
      ],
    },
    {
      id: "R15",
      text: "Pruning removes nothing unfinished, and the database file shrinks.",
      proofs: [
        "server/retention/retention.test.ts › a task with status %s is kept at any age",
        "server/retention/retention.test.ts › the database file and its WAL shrink",
      ],
    },
    {
      id: "R16",
      text: "Nothing is acknowledged before it is on disk; concurrent writers do not disturb each other; a damaged file is reported at start.",
      proofs: [
        "server/storage/sqlite/sqlite-db.test.ts › nothing is acknowledged before it is on disk, and a failed sync rejects every waiter",
        "test/storage/db-contract.ts › two hundred concurrent writes all succeed",
        "server/storage/sqlite/check-file.test.ts › [R16] a file damaged by a crash is reported at start-up with what to do",
      ],
    },
    {
      id: "R17",
      text: "With a full disk, new work is refused, nothing is damaged, and running work waits for space.",
      proofs: [
        "test/chaos/full-disk.test.ts › [R17] with a full disk new work is refused, nothing is acknowledged, and work continues without a restart once space is free",
        "test/chaos/disk-faults.test.ts › [R17] a run waits for disk space: no step fails for lack of it, and none is executed again",
      ],
    },
    {
      id: "R18",
      text: "A subscriber receives every event once and in order, also after reconnecting; a subscriber that does not read is disconnected.",
      proofs: [
        "test/teams/war-room.test.ts › [R18] a client that rejoins gets what it missed, without gap or repeat, while messages keep arriving",
        "test/teams/war-room.test.ts › [R18] a client that does not read is disconnected, without an effect on the others",
        "test/fuzz/war-room-model.test.ts › [R18] a client that joins, leaves, disconnects and returns in any order receives exactly the log, in order",
      ],
    },
    {
      id: "R19",
      text: "A team run waits for a client, starts once, and survives a crash.",
      proofs: [
        "test/teams/run-and-room.test.ts › [R19] a join after 9.9 of the 10 seconds starts the run, once",
        "test/teams/crash.test.ts › [R19] sessions survive kill -9: every log is complete, without repeated entries or gaps",
      ],
    },
    {
      id: "R20",
      text: "A shutdown gives running steps `STOP_GRACE_MS` to finish and releases the rest to other processes.",
      proofs: [
        "test/chaos/shutdown.test.ts › [R20] a shutdown lets a step in flight end and be recorded, and responds to its waiting caller",
        "test/chaos/shutdown.test.ts › [R20] a run that does not end in time is handed over: the next process resumes it, and no caller is kept waiting",
        "test/stopping.test.ts › [R20] a stop waits for steps and callers up to STOP_GRACE_MS",
      ],
    },
    {
      id: "R21",
      text: "A document exists completely or not at all, once for the same bytes, whichever process dies during ingestion.",
      proofs: [
        "test/documents/crash.test.ts › [R21] a kill -9 in the middle of an upload leaves the whole document after the next start, or nothing",
        "test/documents/ingestion.test.ts › [R21] the same bytes again are the same document, one after the other and at the same time",
        "test/documents/process-faults.test.ts › [R21] another process ingests what a killed process was ingesting, and its subscribers see it",
      ],
    },
    {
      id: "R22",
      text: "Vectors of two models are never mixed.",
      proofs: [
        "test/documents/ingestion.test.ts › [R22] after a change of the model a query is 409, vectors are never mixed, and a reindex resolves it",
      ],
    },
    {
      id: "R23",
      text: "A schema of a newer program is refused; processes that start at once on an empty database create it once.",
      proofs: [
        "test/storage/postgres-open.test.ts › a schema of a newer version is refused and left unchanged",
        "test/storage/postgres-open.test.ts › many processes that start on an empty database create each table once",
      ],
    },
    {
      id: "R24",
      text: "A backup taken under load restores every task accepted before it started.",
      proofs: [
        "test/operations/backup.test.ts › [R24] a backup taken under load restores every task accepted before it started",
      ],
    },
    {
      id: "R26",
      text: "A fault of a model or provider leads to a typed error, a bounded retry or the fallback, and no work is done twice.",
      proofs: [
        "test/models/vendor-models.test.ts › [R26] 429 and 5xx are retried after the vendor's delay, three attempts in total",
        "test/models/vendor-models.test.ts › [R26] the fallback model is used when the first one is unavailable, but not after a refusal",
        "test/models/generation.test.ts › [R26] an invalid workflow is returned to the model with the errors, at most twice",
      ],
    },
    {
      id: "R27",
      text: "A finished result is recorded however long the database is unreachable, unless another process has taken the task over: an outage repeats no step.",
      proofs: [
        "test/processes/outages.test.ts › [R27] an http step that ends while the database is unreachable for longer than the lease is sent once",
        "server/engine/tests/outages.test.ts › [R27] for longer than %s is recorded afterwards and runs once",
        "server/engine/tests/outages.test.ts › [R27] by a failed read lets its siblings end and be recorded before the task is resumed",
        "server/engine/tests/postgres-store.test.ts › a heartbeat does not wait for busy connections",
      ],
    },
  ],
};
