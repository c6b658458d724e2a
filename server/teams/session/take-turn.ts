import type { Usage } from "../../../contract/agents.ts";
import type { ExternalAgent, Party } from "../../../contract/teams.ts";
import type { AgentRecord } from "../../agents/agent.sql.ts";
import type { AgentAnswer, RunAgent } from "../../agents/run-agent.ts";
import type { Clock } from "../../lib/clock.ts";
import { AppError } from "../../lib/errors.ts";
import { createId } from "../../lib/ids.ts";
import { usageOfFailure } from "../../models/model-failure.ts";
import { NO_USAGE, type StreamPart } from "../../models/language-model.ts";
import type { CallExternal } from "./call-external.ts";
import { readMentions } from "./mentions.ts";
import type { SessionTask } from "./session-task.ts";
import type { MessageHead, MessageRecord, NewMessage } from "../session-record.ts";
import { answerRoute, EVERYONE, mayAddress, type Member, type Room } from "./topology.ts";
import { instructionsFor, transcriptFor } from "./transcript.ts";

export interface Turn {
  session: SessionTask;
  teamName: string;
  /** Instructions for the member in this team, in addition to its own. */
  instructions: string;
  room: Room;
  member: Member;
  triggers: readonly MessageHead[];
  /** The first entry and the latest ones, oldest first. */
  log: readonly MessageRecord[];
  /** An entry that may be missing in `log`. */
  readEntry(seq: number): Promise<MessageRecord | undefined>;
  signal: AbortSignal;
  /** Receives the answer of an internal agent while it is written. */
  onPart?: ((part: StreamPart) => void) | undefined;
}

export interface TurnOutcome {
  messages: NewMessage[];
  usage: Usage;
}

export interface TakeTurnDeps {
  clock: Clock;
  runAgent: RunAgent;
  callExternal: CallExternal;
  onError(error: unknown, activity: string): void;
}

type Entry = Pick<NewMessage, "to" | "type" | "content">;

/** Takes one turn and returns its log entries. A failure becomes an error entry; only an abort is thrown. */
export function createTakeTurn({ clock, runAgent, callExternal, onError }: TakeTurnDeps) {
  async function attempt(
    turn: Turn,
    work: () => Promise<{ entries: Entry[]; usage: Usage }>,
  ): Promise<TurnOutcome> {
    const { member, log, signal, room, triggers } = turn;
    const seen = log.at(-1)?.seq ?? 0;
    const toMessage = (entry: Entry): NewMessage => ({
      ...entry,
      id: createId("msg", clock.now()),
      from: { id: member.id, type: member.type },
      seen,
      outside: false,
      dedupeKey: null,
    });
    try {
      const { entries, usage } = await work();
      // An empty turn is recorded as well, or the same member would be next again.
      const recorded: Entry[] =
        entries.length > 0 ? entries : [{ to: EVERYONE, type: "status", content: { status: "passed" } }];
      return { messages: recorded.map(toMessage), usage };
    } catch (error) {
      if (signal.aborted) throw error;
      const { code, message } = error instanceof AppError ? error : unexpected(error);
      const to: Party = room.topology === "linear" ? EVERYONE : answerRoute(room, member, triggers).to;
      return {
        messages: [toMessage({ to, type: "error", content: { code, message } })],
        usage: usageOfFailure(error),
      };
    }
  }

  function unexpected(error: unknown): { code: string; message: string } {
    onError(error, "taking a turn");
    return {
      code: "internal_error",
      message: "The turn failed with an internal error. The service log has the details.",
    };
  }

  return {
    internal: (turn: Turn, agent: AgentRecord) =>
      attempt(turn, async () => {
        const { session, room, member, triggers, log, signal, teamName, instructions, onPart } = turn;
        const answer = await runAgent({
          agent,
          system: instructionsFor(room, member, agent, { teamName, instructions }),
          messages: transcriptFor(room, member, log),
          context: {
            ownerId: session.ownerId,
            trigger: "team",
            // Named after the trigger, not the last entry read: a message that arrives between a crash and the
            // retry must not turn the same tool call into a new task.
            parent: { taskId: session.id, step: `${member.id}:${triggers[0]?.seq ?? 0}` },
            depth: 0,
          },
          signal,
          onPart,
        });
        return {
          entries: [...toolEntries(answer), ...replyEntries(room, member, triggers, answer.text)],
          usage: answer.usage,
        };
      }),

    external: (turn: Turn, agent: ExternalAgent & { url: string }) =>
      attempt(turn, async () => {
        const { session, room, member, triggers, log, signal } = turn;
        const entries: Entry[] = [];
        for (const trigger of triggers) {
          const message = log.find(({ seq }) => seq === trigger.seq) ?? (await turn.readEntry(trigger.seq));
          const route = answerRoute(room, member, [trigger]);
          const content =
            message === undefined
              ? undefined
              : await callExternal(agent, message, {
                  ownerId: session.ownerId,
                  reply: { to: route.to, type: route.type, continues: exchangeOf(log, trigger.seq) },
                  signal,
                });
          entries.push(
            content === undefined
              ? { to: EVERYONE, type: "status", content: { status: "delivered", inReplyTo: trigger.seq } }
              : { ...route, content },
          );
        }
        return { entries, usage: NO_USAGE };
      }),
  };
}

/** The first entry of the exchange that an entry belongs to. */
function exchangeOf(log: readonly MessageRecord[], seq: number): number | undefined {
  const last = log.findLast((entry) => entry.seq <= seq && entry.outside);
  return last?.continues ?? last?.seq;
}

function toolEntries({ steps }: AgentAnswer): Entry[] {
  return steps
    .flatMap(({ toolUses }) => toolUses)
    .flatMap(({ id, name, input, output, failed }): Entry[] => [
      { to: EVERYONE, type: "tool_call", content: { callId: id, tool: name, input } },
      { to: EVERYONE, type: "tool_result", content: { callId: id, tool: name, output, failed } },
    ]);
}

function replyEntries(room: Room, member: Member, triggers: readonly MessageHead[], text: string): Entry[] {
  const plain: Entry = { ...answerRoute(room, member, triggers), content: { text: text.trim() } };
  if (text.trim() === "") return [];
  if (!mayAddress(room, member)) return [plain];
  const parts = readMentions(
    text,
    [...room.members, ...room.webhookOnly].filter((other) => other !== member),
  );
  if (parts.every(({ to }) => to === undefined)) return [plain];
  return parts.map(({ to, text: part }) => ({
    to: to === undefined ? EVERYONE : { id: to.id, type: to.type },
    type: "agent_message",
    content: { text: part },
  }));
}
