import type { Message, StreamResponse, Task, TaskState as TaskStateValue } from "@a2a-js/sdk";
import type { Party, SessionStatus } from "../../contract/teams.ts";
import type { Engine } from "../engine/engine-api.ts";
import type { Clock } from "../lib/clock.ts";
import { quoteId } from "../lib/errors.ts";
import type { RoomSignals } from "../teams/room-signals.ts";
import type { MessageRecord, SessionRecord } from "../teams/session-record.ts";
import type { Sessions } from "../teams/sessions.ts";
import type { TeamRecord } from "../teams/team.sql.ts";
import { type A2aTaskStore, type Question, questionId } from "./a2a-task.sql.ts";
import type { AgentTasks } from "./agent-tasks.ts";
import { toAnswer } from "./decision.ts";
import { followExchange } from "./exchange-follower.ts";
import {
  createExchangeView,
  type Exchange,
  isSameParty,
  parseTaskId,
  startsExchange,
  taskIdOf,
} from "./exchange-view.ts";
import { textOfMessage } from "./message-text.ts";
import type { Sdk } from "./sdk.ts";
import { lastEvents, statusUpdate } from "./stream-events.ts";
import { isTerminal, isWaiting } from "./task-states.ts";

export interface TeamTasksDeps {
  sdk: Sdk;
  team: TeamRecord;
  /** In whose name messages are posted: an external agent that the team lists, or a caller with the owner's key. */
  party: Party;
  caller: string;
  sessions: Sessions;
  signals: RoomSignals;
  store: A2aTaskStore;
  engine: Pick<Engine, "decide">;
  clock: Clock;
}

/** The exchanges of one caller with a team, on the same sessions and logs as the webhook and the war room. */
export function createTeamTasks(deps: TeamTasksDeps): AgentTasks {
  const { sdk, team, party, caller, sessions, signals, store, engine, clock } = deps;
  const { TaskNotFoundError, TaskNotCancelableError, RequestMalformedError, UnsupportedOperationError } =
    sdk.errors;
  const { TaskState } = sdk.types;
  const view = createExchangeView(sdk, party);

  async function readExchange(taskId: string): Promise<Exchange> {
    const place = parseTaskId(taskId);
    const session = place === undefined ? undefined : await sessions.findInTeam(place.sessionId, team.id);
    if (session === undefined) throw taskNotFound(taskId);
    const { entries, isClosed } = await sessions.exchange(session.id, place!.seq);
    const [first, ...rest] = entries;
    if (first?.seq !== place!.seq || !isOwnStart(first)) throw taskNotFound(taskId);
    // Another exchange may have started between the two queries.
    const next = rest.findIndex(startsExchange);
    return {
      session,
      entries: [first, ...(next === -1 ? rest : rest.slice(0, next))],
      closed: isClosed || next !== -1,
    };
  }

  function isOwnStart(entry: Exchange["entries"][number]): boolean {
    return startsExchange(entry) && isSameParty(entry.from, party);
  }

  /** The approval that a workflow of the session waits for. The agent that started it does not wait, and may have ended. */
  async function questionOf({ session, closed }: Exchange): Promise<Question | undefined> {
    if (closed || (session.status !== "active" && session.status !== "completed")) return undefined;
    const question = await store.questionOfSession(session.id);
    return question !== undefined && (await mayControl(session)) ? question : undefined;
  }

  /** The owner, and an external agent in the sessions that it started. In any other session it may only post. */
  async function mayControl(session: SessionRecord): Promise<boolean> {
    if (party.type !== "external") return true;
    const [first] = await sessions.log(session.id, 0, 1);
    return first !== undefined && isSameParty(first.from, party);
  }

  function taskNotFound(taskId: string): Error {
    return new TaskNotFoundError(`Task not found: there is no task ${quoteId(taskId)}.`);
  }

  async function sessionOf(contextId: string): Promise<SessionRecord> {
    const session = await sessions.findInTeam(contextId, team.id);
    if (session === undefined)
      throw new RequestMalformedError("message.contextId is not a session of this team");
    if (session.status === "cancelled")
      throw new UnsupportedOperationError("This session was cancelled; start a new one.");
    return session;
  }

  /** The task as its caller sees it now. */
  async function show(exchange: Exchange): Promise<Task> {
    const question = await questionOf(exchange);
    const task = view.toTask(exchange, question);
    if (question !== undefined && (await shownOf(task.id)) !== questionId(question))
      await store.setShown(task.id, questionId(question));
    return task;
  }

  async function shownOf(taskId: string): Promise<string | null> {
    return (await store.find(taskId, team.id, caller))?.shown ?? null;
  }

  /** A message that names its task continues it; a reply to the approval that the caller saw also decides it. */
  async function continueTask(message: Message, dedupeKey: string): Promise<string> {
    const exchange = await readExchange(message.taskId);
    const { session, entries } = exchange;
    if (message.contextId !== "" && message.contextId !== session.id)
      throw new RequestMalformedError("message.contextId is not the contextId of the task");
    const question = await questionOf(exchange);
    const isRepeated = (await sessions.findPosted(session.id, dedupeKey)) !== undefined;
    if (!isRepeated && isTerminal(view.toTask(exchange, question)))
      throw new UnsupportedOperationError("This task has ended; send the message with its contextId alone.");
    const text = textOfMessage(sdk, message);
    const answer = question && toAnswer(message.parts);
    const answered = answer && (answer.question ?? (await shownOf(message.taskId)));
    // The entry names the question: a repetition decides it after a crash, and never the next one.
    const content = { text, ...(answered != null && { question: answered }) };
    const posted = await post(session, content, dedupeKey, entries[0]!.seq);
    if (question !== undefined && answer !== undefined && posted.content["question"] === questionId(question))
      await engine.decide(question.taskId, {
        ...answer.decision,
        decidedBy: caller,
        via: "a2a",
        stepId: question.path,
      });
    return message.taskId;
  }

  /** A repetition returns the entry of the first; a known id with another text is refused. */
  async function post(
    session: SessionRecord,
    content: { text: string; question?: string },
    dedupeKey: string,
    continues?: number,
  ): Promise<MessageRecord> {
    const { seq } = await sessions.post(session, { from: party, content, dedupeKey, continues });
    const [entry] = await sessions.log(session.id, seq - 1, 1);
    if (entry?.content["text"] !== content.text)
      throw new RequestMalformedError("message.messageId was used before for another message; use a new id");
    return entry;
  }

  async function startTask(message: Message, dedupeKey: string): Promise<{ session: string; seq: number }> {
    const text = textOfMessage(sdk, message);
    if (message.contextId !== "") {
      const session = await sessionOf(message.contextId);
      return { session: session.id, seq: (await post(session, { text }, dedupeKey)).seq };
    }
    const started = await sessions.start(team, text, party, {
      content: { text },
      dedupeKey,
      immediately: true,
    });
    return { session: started.id, seq: 1 };
  }

  const statuses: Partial<Record<TaskStateValue, (SessionStatus | "waiting_approval")[]>> = {
    [TaskState.TASK_STATE_SUBMITTED]: ["waiting"],
    [TaskState.TASK_STATE_WORKING]: ["active"],
    [TaskState.TASK_STATE_INPUT_REQUIRED]: ["waiting_approval"],
    [TaskState.TASK_STATE_COMPLETED]: ["completed"],
    [TaskState.TASK_STATE_FAILED]: ["failed"],
    [TaskState.TASK_STATE_CANCELED]: ["cancelled"],
  };

  return {
    async deliver(message) {
      const dedupeKey = `${party.id} ${message.messageId}`;
      if (message.taskId !== "") return continueTask(message, dedupeKey);
      const { session, seq } = await startTask(message, dedupeKey);
      const id = taskIdOf(session, seq);
      const { ownerId } = team;
      const createdAt = clock.now();
      await store.insert({ id, ownerId, agentId: team.id, caller, contextId: session, seq, createdAt });
      return id;
    },

    async read(taskId) {
      return show(await readExchange(taskId));
    },

    async *follow(task, stop): AsyncGenerator<StreamResponse, void, undefined> {
      let position = Number(task.history.at(-1)?.metadata?.["seq"] ?? 0);
      let wasWaiting = isWaiting(task);
      const readSession = async (sessionId: string) => {
        const session = await sessions.findInTeam(sessionId, team.id);
        if (session === undefined) throw taskNotFound(task.id);
        return session;
      };
      const first = await readExchange(task.id);
      for await (const exchange of followExchange({ log: sessions.log, signals, readSession }, first, stop)) {
        for (const entry of exchange.entries.filter(({ seq }) => seq > position)) {
          yield { payload: { $case: "statusUpdate", value: view.toUpdate(entry, task.id) } };
          position = entry.seq;
        }
        const current = await show(exchange);
        if (isTerminal(current)) {
          yield* lastEvents(current);
          return;
        }
        if (isWaiting(current) && !wasWaiting) {
          yield statusUpdate(current);
          return;
        }
        wasWaiting = isWaiting(current);
      }
    },

    async cancel(taskId) {
      const { session } = await readExchange(taskId);
      if (!(await mayControl(session)))
        throw new TaskNotCancelableError(
          "Another caller started this session; only it or the owner can cancel it.",
        );
      await sessions.cancelAs(session, party);
    },

    list: ({ state, ...query }) =>
      store.listExchanges({
        ...query,
        agentId: team.id,
        caller,
        statuses: state === undefined ? undefined : (statuses[state] ?? []),
      }),
  };
}
