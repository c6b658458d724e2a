import type { Message, SendMessageRequest, StreamResponse } from "@a2a-js/sdk";
import type { A2ARequestHandler } from "@a2a-js/sdk/server";
import { AppError } from "../lib/errors.ts";
import type { RoomSignals } from "../teams/room-signals.ts";
import type { SessionRecord } from "../teams/session-record.ts";
import type { Sessions } from "../teams/sessions.ts";
import type { TeamRecord } from "../teams/team.sql.ts";
import { followExchange } from "./exchange-follower.ts";
import { textOfParts } from "./message-text.ts";
import type { Sdk } from "./sdk.ts";
import { createTaskView, type Exchange, parseTaskId, taskIdOf } from "./task-view.ts";

export interface TeamAgentDeps {
  sdk: Sdk;
  team: TeamRecord;
  /** The caller: an external agent that the team lists. */
  agentName: string;
  card: A2ARequestHandler["getAgentCard"];
  sessions: Sessions;
  signals: RoomSignals;
  /** How long `message:send` waits for the end of the task. */
  waitMs: number;
  /** Aborted when the caller has disconnected. */
  disconnected: AbortSignal;
}

const MAX_ENTRIES = 1000;

/** The team as an A2A agent, on the same sessions and logs as the webhook and the war room. */
export function createTeamAgent({
  sdk,
  team,
  agentName,
  card,
  sessions,
  signals,
  waitMs,
  disconnected,
}: TeamAgentDeps): A2ARequestHandler {
  const {
    TaskNotFoundError,
    TaskNotCancelableError,
    RequestMalformedError,
    UnsupportedOperationError,
    PushNotificationNotSupportedError,
  } = sdk.errors;
  const view = createTaskView(sdk, agentName);

  async function readExchange(taskId: string): Promise<Exchange> {
    const place = parseTaskId(taskId);
    const session = place === undefined ? undefined : await sessions.findInTeam(place.sessionId, team.id);
    const [first, ...rest] =
      session === undefined ? [] : await sessions.log(session.id, place!.seq - 1, MAX_ENTRIES);
    if (session === undefined || first?.outside !== true) throw taskNotFound(taskId);
    const next = rest.findIndex(({ outside }) => outside);
    return { session, entries: [first, ...(next === -1 ? rest : rest.slice(0, next))], closed: next !== -1 };
  }

  function taskNotFound(taskId: string): Error {
    return new TaskNotFoundError(`There is no task ${taskId.slice(0, 100)}.`);
  }

  /** Posts the message to its session, or starts one with it; returns the id of the task that answers it. */
  async function deliver({ message }: SendMessageRequest): Promise<string> {
    if (message === undefined || message.messageId === "")
      throw new RequestMalformedError("message.messageId is required");
    const content = contentOf(message);
    const dedupeKey = `${agentName} ${message.messageId}`;
    const from = { id: agentName, type: "external" };
    const session = await sessionOf(message);
    if (session === undefined) {
      const started = await sessions.start(team, content.text, from, {
        content,
        dedupeKey,
        immediately: true,
      });
      return taskIdOf(started.id, 1);
    }
    const { seq } = await sessions.post(session, { from, content, dedupeKey });
    return taskIdOf(session.id, seq);
  }

  async function sessionOf({ contextId, taskId }: Message): Promise<SessionRecord | undefined> {
    if (taskId !== "") {
      const exchange = await readExchange(taskId);
      if (contextId !== "" && contextId !== exchange.session.id)
        throw new RequestMalformedError("message.contextId is not the contextId of the task");
      if (view.isOver(exchange))
        throw new UnsupportedOperationError(
          "This task has ended; send the message with its contextId alone.",
        );
      return exchange.session;
    }
    if (contextId === "") return undefined;
    const session = await sessions.findInTeam(contextId, team.id);
    if (session === undefined)
      throw new RequestMalformedError("message.contextId is not a session of this team");
    if (session.status === "cancelled")
      throw new UnsupportedOperationError("This session was cancelled; start a new one.");
    return session;
  }

  function contentOf({ parts }: Message): { text: string } {
    const text = textOfParts(parts);
    if (text === "") throw new RequestMalformedError("message.parts must contain text or data");
    if (text.includes("\0"))
      throw new RequestMalformedError("message.parts must not contain a NUL character");
    return { text };
  }

  const follow = (taskId: string, exchange: Exchange, stop: AbortSignal) =>
    followExchange(
      {
        log: sessions.log,
        signals,
        async readSession(sessionId) {
          const session = await sessions.findInTeam(sessionId, team.id);
          if (session === undefined) throw taskNotFound(taskId);
          return session;
        },
      },
      exchange,
      stop,
    );

  /** Resolves when the exchange is over or the wait has timed out. */
  async function settled(taskId: string): Promise<Exchange> {
    let exchange = await readExchange(taskId);
    if (view.isOver(exchange)) return exchange;
    const stop = AbortSignal.any([disconnected, AbortSignal.timeout(waitMs)]);
    for await (exchange of follow(taskId, exchange, stop)) if (view.isOver(exchange)) break;
    return exchange;
  }

  async function* stream(taskId: string): AsyncGenerator<StreamResponse, void, undefined> {
    const first = await readExchange(taskId);
    yield { payload: { $case: "task", value: view.toTask(first, undefined) } };
    if (view.isOver(first)) return;
    let position = first.entries.at(-1)?.seq ?? 0;
    for await (const exchange of follow(taskId, first, disconnected)) {
      for (const entry of exchange.entries.filter(({ seq }) => seq > position)) {
        yield { payload: { $case: "statusUpdate", value: view.toUpdate(entry, taskId) } };
        position = entry.seq;
      }
      if (!view.isOver(exchange)) continue;
      const contextId = exchange.session.id;
      for (const artifact of view.artifactsOf(exchange)) {
        const value = { taskId, contextId, artifact, append: false, lastChunk: true, metadata: undefined };
        yield { payload: { $case: "artifactUpdate", value } };
      }
      yield { payload: { $case: "statusUpdate", value: view.toLastUpdate(exchange) } };
      return;
    }
  }

  const noPush = () => Promise.reject(new PushNotificationNotSupportedError());
  return {
    getAgentCard: card,
    getAuthenticatedExtendedAgentCard: card,
    async sendMessage(request) {
      const taskId = await deliver(request);
      const { returnImmediately = false, historyLength } = request.configuration ?? {};
      return view.toTask(
        returnImmediately ? await readExchange(taskId) : await settled(taskId),
        historyLength,
      );
    },
    async *sendMessageStream(request) {
      yield* stream(await deliver(request));
    },
    getTask: async ({ id, historyLength }) => view.toTask(await readExchange(id), historyLength),
    async cancelTask({ id }) {
      const exchange = await readExchange(id);
      if (view.isOver(exchange)) throw new TaskNotCancelableError("This task has ended.");
      await sessions
        .cancelAs(exchange.session, { id: agentName, type: "external" })
        .catch((error: unknown) => {
          throw error instanceof AppError ? new TaskNotCancelableError("This task has ended.") : error;
        });
      return view.toTask(await readExchange(id), undefined);
    },
    resubscribe: ({ id }) => stream(id),
    // The team's secret gives access to a task by its id, not to all sessions of the team.
    listTasks: () =>
      Promise.reject(new UnsupportedOperationError("Tasks cannot be listed; get one by its id.")),
    createTaskPushNotificationConfig: noPush,
    getTaskPushNotificationConfig: noPush,
    listTaskPushNotificationConfigs: noPush,
    deleteTaskPushNotificationConfig: noPush,
  };
}
