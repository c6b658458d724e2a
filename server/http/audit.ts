import type { FastifyReply, FastifyRequest, RouteOptions } from "fastify";
import type { AuditEvent } from "../../contract/audit.ts";
import type { RecordAction } from "../lib/record-action.ts";
import { toErrorResponse } from "./errors.ts";
import type { HttpServer } from "./server.ts";

/** What the audit log records of a route. */
export type RouteAudit =
  | {
      /** Recorded for the instance, although the route is about a workspace. */
      chain?: "instance";
      /** The kind of record that the route adds, when its path does not say so. */
      creates?: string;
      /** Where the request asks for a dry run, which changes nothing and is not recorded. */
      dryRunIn?: "query" | "body";
      /** Another workspace that the action concerns: its log gets the result too. */
      alsoIn?(request: FastifyRequest, payload: unknown): string | undefined;
    }
  /** Why the route is not recorded. */
  | { none: string };

/** Calls of endpoints, webhooks and clients: their runs and calls are recorded elsewhere. */
export const PUBLIC_CALL = { none: "public call" } as const satisfies RouteAudit;

declare module "fastify" {
  interface FastifyContextConfig {
    /**
     * Every route that changes something is recorded under its `operationId`. This says what differs, or that a route that
     * reads is recorded too. A public route always has it.
     */
    audit?: RouteAudit;
  }
  interface FastifyRequest {
    audited: { end: AuditedEnd; payload: unknown; accountId: string | undefined; isEnded: boolean } | null;
    /** The account that an action without a login is about, once the handler knows it. */
    auditAccount(accountId: string): void;
    readonly recordAction: RecordAction;
  }
}

type AuditedEnd = (response: {
  status: number;
  payload: unknown;
  alsoIn?: string | undefined;
  accountId?: string | undefined;
}) => Promise<void>;

export interface RouteRecorder {
  /** Records that a request begins; resolves when that is durable. */
  begin(request: {
    action: string;
    url: string;
    creates: string | undefined;
    isRead: boolean;
    chain: string;
    workspaceId: string;
    userId: string;
    actor: Omit<AuditEvent["actor"], "keyId">;
    keyId: string | null;
    params: Record<string, string>;
    given: readonly unknown[];
    address: string | null;
    userAgent: string | null;
    requestId: string | null;
  }): Promise<{ end: AuditedEnd }>;
}

export interface AuditOptions {
  recorder: RouteRecorder;
  instanceChain: string;
  report(error: unknown, what: string): void;
}

const READS = new Set(["GET", "HEAD", "OPTIONS"]);

/** Records every change before it is made and after it, and the reads that declare it. Other routes get no hook. */
export function recordActions(app: HttpServer, options: AuditOptions): void {
  const undeclared: string[] = [];
  app.decorateRequest("audited", null);
  app.decorateRequest("auditAccount", function (accountId) {
    if (this.audited !== null) this.audited.accountId = accountId;
  });
  app.decorateRequest("recordAction", {
    getter() {
      return (action, work) => recordHandled(this, options, action, work);
    },
  });
  app.addHook("onRoute", (route) => {
    const audit = auditOf(route);
    if (audit === undefined) return;
    const name = `${String(route.method)} ${route.url}`;
    if (audit === "undeclared") return void undeclared.push(name);
    const hooks = hooksOf(route, audit, options);
    route.preHandler = [...listOf(route.preHandler), hooks.begin];
    route.preSerialization = [...listOf(route.preSerialization), hooks.keepPayload];
    route.onSend = [...listOf(route.onSend), hooks.end];
    // A stream of events has taken over the response: no payload passes.
    route.onResponse = [...listOf(route.onResponse), hooks.end];
  });
  app.addHook("onReady", (done) => {
    done(
      undeclared.length === 0
        ? undefined
        : new Error(
            `Public routes without audit: ${undeclared.join(", ")}. Say in \`config.audit\` what is recorded, or why nothing is.`,
          ),
    );
  });
}

/** Undefined for a route that is not recorded. */
function auditOf({
  method,
  config,
}: RouteOptions): Exclude<RouteAudit, { none: string }> | "undeclared" | undefined {
  const methods = [method].flat();
  const isRead = methods.every((verb) => READS.has(verb));
  if (methods.includes("HEAD") || (isRead && config?.audit === undefined)) return undefined;
  if (config?.audit === undefined) return config?.auth === "public" ? "undeclared" : {};
  return "none" in config.audit ? undefined : config.audit;
}

function hooksOf(
  { method, url, config, schema }: RouteOptions,
  { chain, creates, dryRunIn, alsoIn }: Exclude<RouteAudit, { none: string }>,
  { recorder, instanceChain, report }: AuditOptions,
) {
  const action = (schema as { operationId?: string } | undefined)?.operationId ?? url;
  const isRead = [method].flat().every((verb) => READS.has(verb));
  const isOfInstance = chain === "instance" || typeof (config?.access ?? "public") === "string";

  return {
    async begin(request: FastifyRequest): Promise<void> {
      // After the validation: the handler reads the same value.
      if (dryRunIn !== undefined && isDryRun(request[dryRunIn])) return;
      const { actor, apiKey, workspaceId, userId, params, body, query } = request;
      const { end } = await recorder.begin({
        action,
        url,
        creates,
        isRead,
        chain: isOfInstance ? instanceChain : workspaceId,
        workspaceId,
        userId,
        actor: actor.id === "" ? { kind: "anonymous", id: null, name: null } : actor,
        keyId: apiKey?.id ?? null,
        params: params as Record<string, string>,
        given: [body, query],
        ...clientOf(request),
      });
      request.audited = { end, payload: undefined, accountId: undefined, isEnded: false };
    },

    async keepPayload(request: FastifyRequest, _reply: FastifyReply, payload: unknown): Promise<unknown> {
      if (request.audited !== null) request.audited.payload = payload;
      return payload;
    },

    /** The client is answered after the result is durable. */
    async end(request: FastifyRequest, reply: FastifyReply): Promise<void> {
      const { audited } = request;
      if (audited === null || audited.isEnded) return;
      audited.isEnded = true;
      const { payload, accountId } = audited;
      const status = reply.sent ? reply.raw.statusCode : reply.statusCode;
      const also = status < 400 ? alsoIn?.(request, payload) : undefined;
      // The attempt is recorded: a failure here hides no change.
      await audited
        .end({ status, payload, alsoIn: also, accountId })
        .catch((error: unknown) => report(error, `recording the result of ${action}`));
    },
  };
}

async function recordHandled<T>(
  request: FastifyRequest,
  { recorder, instanceChain, report }: AuditOptions,
  { workspaceId, userId = "", params = {}, ...action }: Parameters<RecordAction>[0],
  work: () => Promise<T>,
): Promise<T> {
  const { end } = await recorder.begin({
    ...action,
    creates: undefined,
    isRead: false,
    chain: workspaceId ?? instanceChain,
    workspaceId: workspaceId ?? "",
    userId,
    keyId: null,
    params,
    given: [],
    ...clientOf(request),
  });
  const ended = (status: number, payload: unknown) =>
    end({ status, payload }).catch((error: unknown) =>
      report(error, `recording the result of ${action.action}`),
    );
  try {
    const result = await work();
    await ended(200, undefined);
    return result;
  } catch (error) {
    const { status, body } = toErrorResponse(error);
    await ended(status, body);
    throw error;
  }
}

function isDryRun(given: unknown): boolean {
  const { dryRun } = (given ?? {}) as { dryRun?: unknown };
  return dryRun === true || dryRun === "true";
}

function clientOf({ ip, headers, id }: FastifyRequest) {
  return { address: ip, userAgent: headers["user-agent"] ?? null, requestId: id };
}

function listOf<T>(hooks: T | T[] | undefined): T[] {
  return hooks === undefined ? [] : ([hooks].flat() as T[]);
}
