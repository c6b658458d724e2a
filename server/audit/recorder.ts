import { isStorableText } from "../../contract/api.ts";
import { isRecord } from "../../contract/placeholders/json-value.ts";
import type { Clock } from "../lib/clock.ts";
import { createId } from "../lib/ids.ts";
import { redactKnown } from "../security/redact-known.ts";
import type { AuditLog } from "./audit-log.ts";
import type { NewEvent } from "./chain.ts";
import { idParameterOf, kindOfRoute } from "./kind-of-route.ts";
import type { RecordKind } from "./record-kinds.ts";
import type { RecordState, RecordStates } from "./record-state.sql.ts";
import { changedFields, toStoredState } from "./state-change.ts";

/** A request to a route that is recorded. */
export interface AuditedRequest {
  /** The `operationId` of the route. */
  action: string;
  /** The path of the route, with the names of its parameters. */
  url: string;
  /** The kind of record that the route adds, when its path does not say so. */
  creates?: string | undefined;
  /** A read changes nothing: it has no attempt. */
  isRead: boolean;
  chain: string;
  workspaceId: string;
  userId: string;
  actor: { kind: NewEvent["actorKind"]; id: string | null; name: string | null };
  keyId: string | null;
  params: Record<string, string>;
  /** Body and query: only names are taken from them. */
  given: readonly unknown[];
  address: string | null;
  userAgent: string | null;
  requestId: string | null;
}

export interface AuditedResponse {
  status: number;
  /** Only ids, names and the error code are taken from it. */
  payload: unknown;
  /** A second chain that gets the result. */
  alsoIn?: string | undefined;
  /** The account that an action without a login turned out to be about. */
  accountId?: string | undefined;
}

export interface ActionInProgress {
  end(response: AuditedResponse): Promise<void>;
}

export interface Recorder {
  /** Records the attempt; resolves when it is durable. */
  begin(request: AuditedRequest): Promise<ActionInProgress>;
}

const MAX_TEXT = 300;
/** Names of records in bodies and queries. */
const NAMES = ["name", "email", "folder", "path"] as const;

export interface RecorderDeps {
  log: AuditLog;
  states: RecordStates;
  /** The secrets of a workspace, which are masked in what is recorded. */
  secretsOf(workspaceId: string): Promise<Iterable<string>>;
  clock: Clock;
}

export function createRecorder({ log, states, secretsOf, clock }: RecorderDeps): Recorder {
  const read = (kind: RecordKind, request: AuditedRequest, params: Record<string, string>) =>
    states.read(kind, { ...params, owner: request.workspaceId, user: request.userId });

  async function begin(request: AuditedRequest): Promise<ActionInProgress> {
    const { kind, isCreated } = kindOfRoute(request.url, request.creates);
    const idParameter = idParameterOf(kind);
    const isOfAccount = kind.kind === "account";
    const before = isCreated ? null : await read(kind, request, request.params);
    const actionId = createId("act", clock.now());
    const common = {
      actionId,
      action: request.action,
      keyId: request.keyId,
      address: text(request.address),
      userAgent: text(request.userAgent),
      requestId: text(request.requestId),
      targetKind: kind.kind,
    };
    const givenId = idParameter === undefined || isCreated ? undefined : request.params[idParameter];

    async function store(
      chains: readonly string[],
      event: Pick<NewEvent, "stage" | "outcome" | "status" | "error">,
      { actor, targetId, name, before, after }: EventDetails,
    ): Promise<void> {
      const recorded = [name ?? nameIn(request.given) ?? "", before, after] as const;
      const [redactedName, ...states] = await redactKnown(await secretsOf(request.workspaceId), recorded);
      const full: NewEvent = {
        ...common,
        ...event,
        at: clock.now(),
        actorKind: actor.kind,
        actorId: text(actor.id),
        actorName: text(actor.name),
        targetId: text(targetId ?? null),
        targetName: text(redactedName || null),
        before: await toStoredState(states[0]),
        after: await toStoredState(states[1]),
      };
      for (const chain of chains) await log.append(chain, full);
    }

    const ownId = isOfAccount ? request.userId || undefined : givenId;
    if (!request.isRead)
      await store(
        [request.chain],
        { stage: "attempt", outcome: null, status: null, error: null },
        { actor: request.actor, targetId: ownId, name: nameOf(before), before, after: null },
      );

    return {
      async end({ status, payload, alsoIn, accountId }) {
        const isDone = status < 400;
        const person = isDone && request.actor.kind === "anonymous" ? personIn(payload) : undefined;
        const newId = isCreated && isDone ? createdId(payload, idParameter) : undefined;
        const params =
          newId === undefined ? request.params : { ...request.params, [idParameter ?? "id"]: newId };
        const isReadable = isDone && !request.isRead && (!isCreated || newId !== undefined);
        const about = person?.id ?? accountId;
        const found =
          isReadable || accountId !== undefined
            ? await read(kind, { ...request, userId: about ?? request.userId }, params)
            : null;
        const after = isReadable ? found : null;
        const change =
          isDone && !request.isRead ? await changedFields({ before, after }) : { before: null, after: null };
        await store(
          alsoIn === undefined || alsoIn === request.chain ? [request.chain] : [request.chain, alsoIn],
          {
            stage: "result",
            outcome: isDone ? "succeeded" : "failed",
            status,
            error: isDone ? null : errorIn(payload),
          },
          {
            actor: person ?? request.actor,
            targetId: newId ?? (isOfAccount ? about : undefined) ?? ownId,
            name: nameOf(found) ?? nameOf(before),
            ...change,
          },
        );
      },
    };
  }

  return { begin };
}

interface EventDetails {
  actor: AuditedRequest["actor"];
  targetId: string | undefined;
  name: string | undefined;
  before: RecordState | null;
  after: RecordState | null;
}

/** The ids of `{workflow: {id}}`, `{id}`, `{document_id}` and `{variable: {name}}`. */
function createdId(payload: unknown, idParameter = "id"): string | undefined {
  if (!isRecord(payload)) return undefined;
  const flat = payload["id"] ?? payload["document_id"] ?? payload["collection_id"];
  if (typeof flat === "string") return flat;
  for (const value of Object.values(payload)) {
    const id = isRecord(value) ? (value["id"] ?? value[idParameter]) : undefined;
    if (typeof id === "string") return id;
  }
  return undefined;
}

/** The account that a login begins for. */
function personIn(payload: unknown): (AuditedRequest["actor"] & { id: string }) | undefined {
  const user = isRecord(payload) ? payload["user"] : undefined;
  if (!isRecord(user) || typeof user["id"] !== "string") return undefined;
  const name = user["name"] ?? user["email"];
  return { kind: "user", id: user["id"], name: typeof name === "string" ? name : null };
}

function errorIn(payload: unknown): string | null {
  return isRecord(payload) && typeof payload["error"] === "string" ? payload["error"] : null;
}

function nameOf(state: RecordState | null): string | undefined {
  const name = state?.["name"] ?? state?.["email"];
  return typeof name === "string" ? name : undefined;
}

function nameIn(given: readonly unknown[]): string | undefined {
  for (const values of given)
    for (const name of NAMES) if (isRecord(values) && typeof values[name] === "string") return values[name];
  return undefined;
}

/** Text of the client, shortened and limited to characters that both databases store unchanged. */
function text(value: string | null): string | null {
  if (value === null) return null;
  const cut = value.slice(0, MAX_TEXT);
  return isStorableText(cut) ? cut : cut.replaceAll(/[\0\p{Cs}]/gu, "\uFFFD");
}
