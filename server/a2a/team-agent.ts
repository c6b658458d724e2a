import type { Message, SendMessageRequest, StreamResponse } from "@a2a-js/sdk";
import type { A2ARequestHandler } from "@a2a-js/sdk/server";
import { AppError } from "../lib/errors.ts";
import type { RoomSignals } from "../teams/room-signals.ts";
import type { MessageRecord, SessionRecord } from "../teams/session-record.ts";
import type { Sessions } from "../teams/sessions.ts";
import type { TeamRecord } from "../teams/team-store.ts";
import { textOfParts } from "./message-text.ts";
import type { Sdk } from "./sdk.ts";
import { createTaskView, readTaskId, type Exchange, taskIdOf } from "./task-view.ts";
import { createChanges } from "./changes.ts";

export interface TeamAgentDeps {
  sdk: Sdk;
  team: TeamRecord;
  /** The caller: an external agent that the team lists. */
  agentName: string;
  card: A2ARequestHandler["getAgentCard"];
  sessions: Sessions;
  signals: RoomSignals;
  /** How long a caller who wants to wait is kept waiting. */
  waitMs: number;
  /** Aborted when the caller has gone. */
  gone: AbortSignal;
}

const MAX_ENTRIES = 1000;

/** The team as the standard's agent, on the same sessions and the same log as the webhook and the war room. */
export function createTeamAgent({
  sdk,
  team,
  agentName,
  card,
  sessions,
  signals,
  waitMs,
  gone,
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
    const place = readTaskId(taskId);
    const session = place === undefined ? undefined : await sessions.ofTeam(place.sessionId, team.id);
    const [first, ...rest] =
      session === undefined ? [] : await sessions.log(session.id, place!.seq - 1, MAX_ENTRIES);
    if (session === undefined || first?.outside !== true)
      throw new TaskNotFoundError(`There is no task ${taskId.slice(0, 100)}.`);
    const next = rest.findIndex(({ outside }) => outside);
    return { session, entries: [first, ...(next === -1 ? rest : rest.slice(0, next))], closed: next !== -1 };
  }

  /** Says the message in its session, or begins one with it; gives the task that answers it. */
  async function deliver({ message }: SendMessageRequest): Promise<string> {
    if (message === undefined || message.messageId === "")
      throw new RequestMalformedError("message.messageId is required");
    const content = contentOf(message);
    const dedupeKey = `${agentName} ${message.messageId}`;
    const from = { id: agentName, type: "external" };
    const session = await sessionOf(message);
    if (session === undefined) {
      const begun = await sessions.begin(team, content.text, from, { content, dedupeKey, immediately: true });
      return taskIdOf(begun.id, 1);
    }
    const { seq } = await sessions.post(session, { from, content, dedupeKey });
    return taskIdOf(session.id, seq);
  }

  async function sessionOf({ contextId, taskId }: Message): Promise<SessionRecord | undefined> {
    if (taskId !== "") {
      const exchange = await readExchange(taskId);
      if (contextId !== "" && contextId !== exchange.session.id)
        throw new RequestMalformedError("message.contextId is not the task's");
      if (view.isOver(exchange))
        throw new UnsupportedOperationError(
          "This task has ended; send the message with its contextId alone.",
        );
      return exchange.session;
    }
    if (contextId === "") return undefined;
    const session = await sessions.ofTeam(contextId, team.id);
    if (session === undefined)
      throw new RequestMalformedError("message.contextId is no session of this team");
    if (session.status === "cancelled")
      throw new UnsupportedOperationError("This session was cancelled; begin a new one.");
    return session;
  }

  function contentOf({ parts }: Message): { text: string } {
    const text = textOfParts(parts);
    if (text === "") throw new RequestMalformedError("message.parts must hold text or data");
    if (text.includes("\0"))
      throw new RequestMalformedError("message.parts must not contain a NUL character");
    return { text };
  }

  /** Resolves when the round is over or the time is. */
  async function settled(taskId: string): Promise<Exchange> {
    const changes = createChanges(
      signals,
      readTaskId(taskId)!.sessionId,
      AbortSignal.any([gone, AbortSignal.timeout(waitMs)]),
    );
    try {
      for (;;) {
        const exchange = await readExchange(taskId);
        if (view.isOver(exchange) || !(await changes.next())) return exchange;
      }
    } finally {
      changes.close();
    }
  }

  async function* follow(taskId: string): AsyncGenerator<StreamResponse, void, undefined> {
    const { sessionId } = readTaskId(taskId) ?? { sessionId: "" };
    const changes = createChanges(signals, sessionId, gone);
    try {
      let exchange = await readExchange(taskId);
      yield { payload: { $case: "task", value: view.toTask(exchange, undefined) } };
      let told = exchange.entries.at(-1)?.seq ?? 0;
      if (view.isOver(exchange)) return;
      while (await changes.next()) {
        exchange = await readExchange(taskId);
        const fresh: MessageRecord[] = exchange.entries.filter(({ seq }) => seq > told);
        for (const entry of fresh)
          yield { payload: { $case: "statusUpdate", value: view.toUpdate(entry, taskId) } };
        told = fresh.at(-1)?.seq ?? told;
        if (!view.isOver(exchange)) continue;
        for (const artifact of view.artifactsOf(exchange)) {
          const value = {
            taskId,
            contextId: sessionId,
            artifact,
            append: false,
            lastChunk: true,
            metadata: undefined,
          };
          yield { payload: { $case: "artifactUpdate", value } };
        }
        yield { payload: { $case: "statusUpdate", value: view.toLastUpdate(exchange) } };
        return;
      }
    } finally {
      changes.close();
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
      yield* follow(await deliver(request));
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
    resubscribe: ({ id }) => follow(id),
    // Who knows the secret of a team does not thereby get to read all of its sessions.
    listTasks: () =>
      Promise.reject(new UnsupportedOperationError("Tasks are not listed; ask for one by its id.")),
    createTaskPushNotificationConfig: noPush,
    getTaskPushNotificationConfig: noPush,
    listTaskPushNotificationConfigs: noPush,
    deleteTaskPushNotificationConfig: noPush,
  };
}
