import type { JsonValue } from "../../contract/placeholders/json-value.ts";
import type { Engine, TaskWithSteps } from "../engine/engine-api.ts";
import { AppError, notFound } from "../lib/errors.ts";
import { isId } from "../lib/ids.ts";
import type { ApiKeys } from "./api-keys.ts";
import type { Endpoint, EndpointStore } from "./endpoint.ts";
import { idempotencyOf } from "./idempotency.ts";

export interface PublicCallsDeps {
  store: EndpointStore;
  keys: Pick<ApiKeys, "accepts" | "noteUse" | "presented">;
  engine: Engine;
  syncTimeoutMs: number;
}

export interface PublicCall {
  input: Record<string, JsonValue>;
  /** The whole body, which is what an idempotency key stands for. */
  body: unknown;
  idempotencyKey: string | string[] | undefined;
}

/** `settled` is there for a synchronous endpoint alone. */
export interface CallOutcome {
  taskId: string;
  settled?: TaskWithSteps;
}

export type PublicCalls = ReturnType<typeof createPublicCalls>;

export function createPublicCalls({ store, keys, engine, syncTimeoutMs }: PublicCallsDeps) {
  return {
    /** Everything that can be decided without the body: who may call, and what. */
    async admit(idOrSlug: string, bearer: string | undefined): Promise<Endpoint> {
      const endpoint = await store.find(idOrSlug, bearer === undefined ? undefined : keys.presented(bearer));
      if (endpoint === undefined) throw notFound("workflow");
      if (!endpoint.authentication) return endpoint;
      if (bearer === undefined) throw missingKey();
      if (endpoint.keyId === undefined) throw invalidKey();
      keys.noteUse(endpoint.keyId);
      return endpoint;
    },

    async call({ workflow, sync }: Endpoint, request: PublicCall): Promise<CallOutcome> {
      const { taskId, status, existing } = await engine.start({
        workflow,
        trigger: "api",
        input: request.input,
        idempotency: idempotencyOf(
          request.idempotencyKey,
          `public:${workflow.ownerId}:${workflow.id}`,
          request.body,
        ),
      });
      // A caller that hangs up leaves the task running: nothing here is tied to its connection.
      if (!sync) return { taskId };
      const isQueued = status === "queued" && !existing;
      return { taskId, settled: await engine.settled(taskId, syncTimeoutMs, { isQueued }) };
    },

    /** A task that a public call has made, for whoever may call the endpoint. */
    async follow(taskId: string, bearer: string | undefined): Promise<TaskWithSteps> {
      const found = isId("task", taskId) ? await engine.read(taskId) : undefined;
      if (found === undefined || found.task.trigger !== "api") throw notFound("task");
      const settings = await store.settings(found.task.workflowId);
      // An endpoint that was switched off is open to nobody without a key, whatever it was before.
      const isOpen = settings !== undefined && settings.enabled && !settings.authentication;
      if (isOpen) return found;
      if (bearer === undefined) throw missingKey();
      if (!(await keys.accepts(found.task.ownerId, bearer))) throw invalidKey();
      return found;
    },
  };
}

function missingKey(): AppError {
  return new AppError(
    "missing_api_key",
    "This endpoint needs an API key of its owner: send `Authorization: Bearer <key>`.",
  );
}

function invalidKey(): AppError {
  return new AppError("invalid_api_key", "This API key is unknown, expired or revoked.");
}
