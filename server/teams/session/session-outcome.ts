import type { Clock } from "../../lib/clock.ts";
import { createId } from "../../lib/ids.ts";
import type { NextAction } from "./next-action.ts";
import type { SessionTask, SessionTaskStore, SessionOutcome } from "./session-task.ts";
import type { NewMessage } from "../session-record.ts";
import { textOf } from "./transcript.ts";
import { EVERYONE } from "./topology.ts";

const LIMIT_TEXT = {
  turn_limit: "The agents have taken all the turns they may without a word from outside.",
  token_limit: "The session has used all the tokens it may.",
  time_limit: "Nobody has said anything for too long.",
} as const;

/** What a session's row says at its end, and the entry that tells why when it did not end by itself. */
export async function outcomeOf(
  { stoppedBy, answer, failure }: Extract<NextAction, { kind: "finish" }>,
  { id }: SessionTask,
  store: Pick<SessionTaskStore, "log">,
  clock: Clock,
): Promise<{ ending: SessionOutcome; messages: NewMessage[] }> {
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
    return { ending: { status: "failed", result: null, error }, messages };
  }
  const said = answer === undefined ? undefined : await read(answer.seq);
  const output = said === undefined ? null : textOf(said.content);
  return {
    ending: {
      status: "completed",
      result: { output, from: answer?.from.id ?? null, stoppedBy },
      error: null,
    },
    messages,
  };
}
