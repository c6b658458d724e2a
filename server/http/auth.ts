import type { FastifyRequest, RouteOptions } from "fastify";
import {
  type Actor,
  includesScope,
  type ManagementScope,
  type Role,
  type RouteAccess,
} from "../../contract/roles.ts";
import type { KeyScope } from "../../contract/keys.ts";
import { AppError, notFound } from "../lib/errors.ts";
import { assertRole, notMember } from "../security/roles.ts";
import { PUBLIC_CALL } from "./audit.ts";
import type { HttpServer } from "./server.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /** `public` routes need no login; a route without this setting always does. */
    auth?: "public";
    /** Who may call the route. Every route that is not public has it. */
    access?: RouteAccess;
    /** A body without a length that is longer ends its connection. For routes whose body no parser limits as a whole. */
    maxChunkedBytes?: number;
  }
  interface FastifyRequest {
    /** The person. Empty on public routes and for a key of a service account. */
    userId: string;
    /** Stored as the author of what the request changes: the person, else the service account. */
    readonly authorId: string;
    /** The session of the token; empty for an API key and for a token from before logins were recorded. */
    sessionId: string;
    /** Owns the records of this request: the one of the header `X-Workspace`, else the personal one of the person. */
    workspaceId: string;
    /** The role of the person or service account in that workspace. */
    role: Role;
    actor: Actor;
    /** The API key that the request came with; null for a login. */
    apiKey: KeyPrincipal | null;
    /** For public routes that accept a login among other credentials. */
    requireAccess(access: RouteAccess): Promise<void>;
    /** For responses that outlive their request: calls `onEnd` one time when the login or the role is no longer valid. */
    watchLogin(onEnd: () => void): () => void;
  }
}

export interface TokenCheck {
  verify(token: string): Promise<{ userId: string; sessionId: string; name: string }>;
  watch(userId: string, token: string, onEnd: () => void): () => void;
}

/** An API key and the person or service account that it acts as. */
export interface KeyPrincipal {
  id: string;
  ownerId: string;
  userId: string;
  actor: Actor;
  role: Role;
  scopes: readonly KeyScope[];
  /** The only addresses that may use it; null for all. */
  addresses: readonly string[] | null;
  expiresAt: number | null;
}

export interface KeyCheck {
  /** Tells API keys from login tokens, by their prefix. */
  accepts(token: string): boolean;
  authenticate(rawKey: string, address: string): Promise<KeyPrincipal>;
  watch(rawKey: string, key: KeyPrincipal, onEnd: () => void): () => void;
}

export interface AccessChecks {
  logins: TokenCheck;
  keys: KeyCheck;
  memberships: {
    roleOf(workspaceId: string, userId: string): Promise<Role | undefined>;
    exists(workspaceId: string): Promise<boolean>;
    watch(workspaceId: string, userId: string, role: Role, onEnd: () => void): () => void;
  };
  isAdministrator(userId: string): Promise<boolean>;
}

const PUBLIC_BODY_BYTES = 64 * 1024;
const NOBODY: Actor = { kind: "user", id: "", name: "" };

/** Checks the token and the role before the body is read: a caller without access costs one signature check. */
export function requireLogin(
  app: HttpServer,
  { logins, keys, memberships, isAdministrator }: AccessChecks,
): void {
  app.decorateRequest("userId", "");
  app.decorateRequest("authorId", {
    getter() {
      return this.userId || this.actor.id;
    },
  });
  app.decorateRequest("sessionId", "");
  app.decorateRequest("workspaceId", "");
  app.decorateRequest("role", "viewer");
  app.decorateRequest("actor");
  app.decorateRequest("apiKey", null);
  app.decorateRequest("watchLogin", function (onEnd) {
    const { userId, workspaceId, role, apiKey } = this;
    const token = bearerOf(this) ?? "";
    // The role of a key depends on that of the person who made it: its own watch covers both.
    if (apiKey !== null) return keys.watch(token, apiKey, onEnd);
    const unwatch = [logins.watch(userId, token, end), memberships.watch(workspaceId, userId, role, end)];
    return stop;

    /** The first of the two that ends stops the other. */
    function end(): void {
      stop();
      onEnd();
    }

    function stop(): void {
      for (const each of unwatch) each();
    }
  });
  app.decorateRequest("requireAccess", function (access) {
    return requireAccess(this, access);
  });
  assertDeclared(app);
  limitPublicBodies(app);
  app.addHook("onRequest", (request, _reply, done) => {
    request.actor = NOBODY;
    const { auth, access = "account" } = request.routeOptions.config;
    if (request.is404 || auth === "public") return done();
    requireAccess(request, access).then(() => done(), done);
  });

  async function requireAccess(request: FastifyRequest, access: RouteAccess): Promise<void> {
    const token = bearerOf(request) ?? throwMissingToken();
    if (keys.accepts(token)) return requireKey(request, token, access);
    const { userId, sessionId, name } = await logins.verify(token);
    request.userId = userId;
    request.sessionId = sessionId;
    request.actor = { kind: "user", id: userId, name };
    request.workspaceId = userId;
    request.role = "owner";
    if (access === "account") return;
    if (access === "administrator") {
      if (await isAdministrator(request.userId)) return;
      throw new AppError("forbidden", "Only the administrator of this instance may do this.");
    }
    const wanted = workspaceOf(request, access);
    if (wanted !== undefined) {
      request.workspaceId = wanted;
      const role = await memberships.roleOf(wanted, request.userId);
      if (role === undefined) throw await noMembership(access.workspace === "path" ? wanted : undefined);
      request.role = role;
    }
    assertRole(request.role, access.role);
  }

  /** An id in the path is answered as that of any record: 404 when there is no such workspace. */
  async function noMembership(idInPath: string | undefined): Promise<AppError> {
    if (idInPath !== undefined && !(await memberships.exists(idInPath)))
      return notFound("workspace", idInPath);
    return notMember();
  }

  /** A key acts in its own workspace; the smaller of its scopes and the role behind it decides. */
  async function requireKey(request: FastifyRequest, rawKey: string, access: RouteAccess): Promise<void> {
    const key = await keys.authenticate(rawKey, request.ip);
    if (typeof access === "string" || access.scope === null)
      throw new AppError("forbidden", "API keys do not open this. Log in as a person.");
    assertScope(key.scopes, access.scope);
    if ((workspaceOf(request, access) ?? key.ownerId) !== key.ownerId)
      throw new AppError(
        "forbidden",
        "This API key belongs to another workspace. Leave out X-Workspace: a key acts in its own.",
      );
    request.apiKey = key;
    request.userId = key.userId;
    request.actor = key.actor;
    request.workspaceId = key.ownerId;
    // An owner is a person who logs in.
    request.role = key.role === "owner" ? "admin" : key.role;
    assertRole(request.role, access.role);
  }
}

/** The workspace that the request names, if any. */
function workspaceOf(
  { params, headers }: FastifyRequest,
  { workspace }: Exclude<RouteAccess, string>,
): string | undefined {
  return workspace === "path"
    ? (params as { id: string }).id
    : (headers["x-workspace"] as string | undefined);
}

function assertScope(scopes: readonly KeyScope[], scope: ManagementScope): void {
  if (includesScope(scopes, scope)) return;
  throw new AppError(
    "insufficient_scope",
    `This API key lacks the scope \`${scope}\`. Create a key with it in Settings → API keys.`,
    { details: { requiredScope: scope } },
  );
}

/** The start fails when a route names neither `auth: "public"` nor `access`. Preflights of browsers carry no login. */
function assertDeclared(app: HttpServer): void {
  const routes: RouteOptions[] = [];
  app.addHook("onRoute", (route) => void routes.push(route));
  app.addHook("onReady", (done) => {
    const missing = routes.filter(
      ({ method, config }) =>
        method !== "OPTIONS" && config?.auth !== "public" && config?.access === undefined,
    );
    const names = missing.map(({ method, url }) => `${String(method)} ${url}`);
    done(names.length === 0 ? undefined : new Error(`Routes without access: ${names.join(", ")}.`));
  });
}

/** The body of a public route is parsed before the caller is known. Calls that start work have their own limits. */
function limitPublicBodies(app: HttpServer): void {
  app.addHook("onRoute", (route) => {
    const { auth, audit } = route.config ?? {};
    if (auth === "public" && audit !== PUBLIC_CALL) route.bodyLimit ??= PUBLIC_BODY_BYTES;
  });
}

export function bearerOf(request: FastifyRequest): string | undefined {
  return /^bearer +(.+)$/i.exec(request.headers.authorization ?? "")?.[1];
}

function throwMissingToken(): never {
  throw new AppError(
    "missing_token",
    "The credential is missing. Send a login token or an API key as `Authorization: Bearer <token>`.",
  );
}
