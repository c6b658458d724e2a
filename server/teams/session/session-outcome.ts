import type { Clock } from "../../lib/clock.ts";
import { createId } from "../../lib/ids.ts";
import type { NewMessage } from "../session-record.ts";
import type { SessionTaskStore } from "../store/session-task.sql.ts";
import type { NextAction } from "./next-action.ts";
import type { SessionOutcome, SessionTask } from "./session-task.ts";
import { EVERYONE } from "./topology.ts";
import { textOf } from "./transcript.ts";

const LIMIT_TEXT = {
  turn_limit: "The agents reached the limit of turns. Post a message to continue.",
  token_limit: "The session reached its limit of tokens.",
  time_limit: "The session received no message within its time limit.",
} as const;

/** The outcome for the session's row; a session that a limit stopped also gets a log entry with the reason. */
export async function outcomeOf(
  { stoppedBy, answer, failure }: Extract<NextAction, { kind: "finish" }>,
  { id }: SessionTask,
  store: Pick<SessionTaskStore, "log">,
  clock: Clock,
): Promise<{ outcome: SessionOutcome; messages: NewMessage[] }> {
  const read = async (seq: number) => (await store.log(id, seq - 1, 1))[0];
  const messages: NewMessage[] =
    stoppedBy === "finished"
      ? []
      : [
          {
            id: createId("msg", clock.now()),
            from: { id: "baton", type: "system" },
            to: EVERYONE,
            type: "status",
            content: { status: "stopped", reason: stoppedBy, text: LIMIT_TEXT[stoppedBy] },
            seen: null,
            outside: false,
            dedupeKey: null,
          },
        ];
  if (answer === undefined && failure !== undefined) {
    const { code, message } = (await read(failure.seq))?.content ?? {};
    const error = { code: String(code ?? "agent_failed"), message: String(message ?? "An agent failed.") };
    return { outcome: { status: "failed", result: null, error }, messages };
  }
  const entry = answer === undefined ? undefined : await read(answer.seq);
  const output = entry === undefined ? null : textOf(entry.content);
  return {
    outcome: {
      status: "completed",
      result: { output, from: answer?.from.id ?? null, stoppedBy },
      error: null,
    },
    messages,
  };
}
