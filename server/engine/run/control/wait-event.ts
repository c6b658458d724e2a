import { isStorableText } from "../../../../contract/api.ts";
import type { JsonValue } from "../../../../contract/placeholders/json-value.ts";
import { MAX_EVENT_NAME } from "../../../../contract/wait-events.ts";
import { toIso } from "../../../lib/clock.ts";
import { AppError } from "../../../lib/errors.ts";
import { handlesTimeout } from "../../graph/progress.ts";
import { UNNUMBERED } from "../../journal/journal-entry.ts";
import type { ReceivedEvent } from "../../store.ts";
import { failed, type Outcome } from "../outcome.ts";
import type { ControlCall, ControlStep } from "../run.ts";
import { redactedInput } from "../settle-step.ts";

/**
 * Waits for an event. The wait is recorded before events are looked for, so that one that is sent meanwhile finds it. An
 * event is stored with the wait that takes it, and removed with the record of the step: a crash in between loses neither.
 */
export const waitEvent: ControlStep = async (call) => {
  const { run, path, memory } = call;
  const { store, clock } = run.deps;
  const due = memory.waiting?.kind === "wait" ? memory.waiting.due : await open(call);
  let received = await store.receiveEvent(run.task.id, path, clock.now());
  if (received === undefined && due !== null && due <= clock.now()) {
    await store.expireEventWait(run.task.id, path, clock.now());
    received = await store.receiveEvent(run.task.id, path, clock.now());
  }
  return received === undefined ? { kind: "waiting", due } : outcomeOf(call, received);
};

/** Records the wait and returns its deadline. */
async function open({ run, path, fields, step, startedAt }: ControlCall): Promise<number | null> {
  // Of a workflow that was saved before this was refused.
  if (step.secrets.length > 0)
    throw new AppError(
      "invalid_field",
      "The name and key of an event are stored and cannot contain a secret.",
    );
  const name = textOf(fields["event"]);
  const key = textOf(fields["key"] ?? "");
  if (name === undefined || name === "" || key === undefined)
    throw new AppError(
      "invalid_field",
      `The name of an event must be text, and its key text or a number, of at most ${MAX_EVENT_NAME} characters, without NUL and lone surrogates.`,
    );
  const now = run.deps.clock.now();
  const due = step.timeoutMs === undefined ? null : now + step.timeoutMs;
  const input = redactedInput(run, fields);
  await run.record(
    [
      {
        seq: UNNUMBERED,
        kind: "wait",
        path,
        type: step.type,
        status: "waiting",
        input,
        due,
        startedAt,
        at: now,
      },
    ],
    { openEventWait: { path, name, key, dueAt: due } },
  );
  return due;
}

function textOf(value: JsonValue | undefined): string | undefined {
  if (typeof value !== "string" && typeof value !== "number" && typeof value !== "boolean") return undefined;
  const text = String(value);
  return text.length <= MAX_EVENT_NAME && isStorableText(text) ? text : undefined;
}

function outcomeOf({ path, step, fields }: ControlCall, event: ReceivedEvent): Outcome {
  const { data, receivedAt, timedOut } = event;
  if (timedOut && !handlesTimeout(step) && fields["onTimeout"] !== "continue")
    return {
      ...failed("event_timeout", "No event arrived within the time limit of the step."),
      closedWaits: [path],
    };
  const output = {
    data: data === null ? null : (JSON.parse(data) as JsonValue),
    receivedAt: toIso(receivedAt),
    timedOut,
  };
  return { kind: "completed", output, closedWaits: [path] };
}
