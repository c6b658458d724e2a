import type { JsonValue } from "../../contract/placeholders/json-value.ts";
import type { TriggerRequest } from "../../contract/placeholders/render.ts";
import { assertOpens } from "../accounts/bearer-access.ts";
import type { Engine, TaskWithSteps } from "../engine/engine-api.ts";
import { AppError, notFound, quoteId } from "../lib/errors.ts";
import { isId } from "../lib/ids.ts";
import { finishedBody } from "../tasks/finished-view.ts";
import { workflowPaused } from "../workflows/paused.ts";
import type { KeyAccess } from "./api-key.sql.ts";
import type { ApiKeys } from "./api-keys.ts";
import type { Endpoint, EndpointKind, EndpointStore } from "./endpoint.sql.ts";
import { readIdempotencyKey } from "./idempotency.ts";
import type { FormEndpoint } from "./public-form.ts";

export interface PublicCallsDeps {
  store: EndpointStore;
  keys: Pick<ApiKeys, "find" | "recordUse" | "toPresented">;
  engine: Engine;
  syncTimeoutMs: number;
}

export interface PublicCall {
  input: Record<string, JsonValue>;
  /** The whole body: an idempotency key is bound to its hash. */
  body: unknown;
  idempotencyKey: string | string[] | undefined;
  /** The redacted request, for workflows that read it. */
  received(): TriggerRequest;
}

/** Only synchronous endpoints return `settled`. */
export interface CallOutcome<Settled = TaskWithSteps> {
  taskId: string;
  settled?: Settled;
}

export type PublicCalls = ReturnType<typeof createPublicCalls>;

export function createPublicCalls({ store, keys, engine, syncTimeoutMs }: PublicCallsDeps) {
  async function authorize(
    kind: EndpointKind,
    idOrSlug: string,
    bearer: string | undefined,
    address: string,
  ): Promise<Endpoint> {
    const key = bearer === undefined ? undefined : keys.toPresented(bearer);
    const endpoint = await store.find(kind, idOrSlug, key);
    if (endpoint === undefined) throw noEndpoint(idOrSlug);
    if (endpoint.authentication) {
      if (bearer === undefined) throw missingKey();
      if (endpoint.key === undefined) throw invalidKey();
      assertOpens(endpoint.key, "endpoints", address);
      assertNamed(endpoint.key, endpoint.workflow.id);
      keys.recordUse(endpoint.key.id, address);
    }
    if (!endpoint.isActive) throw workflowPaused();
    return endpoint;
  }

  /** The task is not tied to the connection: it continues when the caller disconnects. */
  async function start({ workflow, sync }: Endpoint, request: PublicCall, trigger: EndpointKind) {
    const { taskId, status, existing } = await engine.start({
      workflow,
      trigger,
      input: request.input,
      request: request.received,
      isAwaited: sync,
      idempotency: await readIdempotencyKey(
        request.idempotencyKey,
        `${trigger === "form" ? "form" : "public"}:${workflow.ownerId}:${workflow.id}`,
        request.body,
      ),
    });
    return { taskId, isQueued: status === "queued" && !existing };
  }

  return {
    /** Resolves the endpoint and checks the API key; needs no body. */
    authorize,

    /** An enabled form, for anyone who knows its address. */
    async findForm(idOrSlug: string): Promise<FormEndpoint> {
      const endpoint = await store.find("form", idOrSlug);
      if (endpoint?.form === undefined) throw notFound("workflow", idOrSlug);
      if (!endpoint.isActive) throw workflowPaused();
      return { ...endpoint, form: endpoint.form };
    },

    /** Values of `settled` are stored JSON. */
    async call(endpoint: Endpoint, request: PublicCall, trigger: EndpointKind = "api"): Promise<CallOutcome> {
      const { taskId, isQueued } = await start(endpoint, request, trigger);
      if (!endpoint.sync) return { taskId };
      return { taskId, settled: await engine.settled(taskId, syncTimeoutMs, { isQueued, asStored: true }) };
    },

    /** The same with the body of the response, where the journal of the run has it as JSON. */
    async callForBody(endpoint: Endpoint, request: PublicCall): Promise<CallOutcome<TaskWithSteps | string>> {
      const { taskId, isQueued } = await start(endpoint, request, "api");
      if (!endpoint.sync) return { taskId };
      const options = { isQueued, asStored: true };
      return { taskId, settled: await engine.settledAs(taskId, syncTimeoutMs, finishedBody, options) };
    },

    /** A task started by a public call, for callers that may call its endpoint. */
    async getTask(taskId: string, bearer: string | undefined, address: string): Promise<TaskWithSteps> {
      const found = isId("task", taskId) ? await engine.read(taskId, { asStored: true }) : undefined;
      if (found === undefined || found.task.trigger !== "api") throw notFound("task", taskId);
      const settings = await store.findSettings(found.task.workflowId);
      // A disabled endpoint always requires a key, even if it was callable without one before.
      const isOpen = settings !== undefined && settings.enabled && !settings.authentication;
      if (isOpen) return found;
      if (bearer === undefined) throw missingKey();
      const used = await keys.find(bearer);
      if (used?.ownerId !== found.task.ownerId) throw invalidKey();
      assertOpens(used, "endpoints", address);
      assertNamed(used, found.task.workflowId);
      keys.recordUse(used.id, address);
      return found;
    },
  };
}

function assertNamed({ workflowIds }: Pick<KeyAccess, "workflowIds">, workflowId: string): void {
  if (workflowIds === null || workflowIds.includes(workflowId)) return;
  throw new AppError(
    "insufficient_scope",
    "This API key may call the endpoints of other workflows only. Create a key that names this one, in Settings → API keys.",
  );
}

function noEndpoint(idOrSlug: string): AppError {
  if (idOrSlug === "") return notFound("workflow", idOrSlug);
  return new AppError(
    "workflow_not_found",
    `There is no endpoint with the name or id ${quoteId(idOrSlug)}. Check the URL, and that the endpoint of the workflow is switched on.`,
  );
}

function missingKey(): AppError {
  return new AppError(
    "missing_api_key",
    "This endpoint requires an API key of its owner. Send `Authorization: Bearer <key>`.",
  );
}

function invalidKey(): AppError {
  return new AppError(
    "invalid_api_key",
    "The API key is unknown, expired or revoked. Use an API key of the owner of this endpoint; a login token is none.",
  );
}
