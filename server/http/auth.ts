import type { FastifyRequest } from "fastify";
import { AppError } from "../lib/errors.ts";
import type { HttpServer } from "./server.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /** `public` routes need no login; a route without this setting always does. */
    auth?: "public";
  }
  interface FastifyRequest {
    userId: string;
    /** Of the token; empty for a token from before logins were recorded. */
    sessionId: string;
    /** For responses that outlive their request check: calls `onEnd` once the token is no longer valid. */
    watchLogin(onEnd: () => void): () => void;
  }
}

export interface TokenCheck {
  verify(token: string): Promise<{ userId: string; sessionId: string }>;
  watch(userId: string, token: string, onEnd: () => void): () => void;
}

/** Checks the token before the body is read: an unauthenticated caller costs one signature check. */
export function requireLogin(app: HttpServer, { verify, watch }: TokenCheck): void {
  app.decorateRequest("userId", "");
  app.decorateRequest("sessionId", "");
  app.decorateRequest("watchLogin", function (onEnd) {
    return watch(this.userId, bearerOf(this) ?? "", onEnd);
  });
  app.addHook("onRequest", (request, _reply, done) => {
    if (request.is404 || request.routeOptions.config.auth === "public") return done();
    login(request).then(() => done(), done);
  });
  async function login(request: FastifyRequest): Promise<void> {
    const { userId, sessionId } = await verify(bearerOf(request) ?? throwMissingToken());
    request.userId = userId;
    request.sessionId = sessionId;
  }
}

export function bearerOf(request: FastifyRequest): string | undefined {
  return /^bearer +(.+)$/i.exec(request.headers.authorization ?? "")?.[1];
}

function throwMissingToken(): never {
  throw new AppError(
    "missing_token",
    "The login token is missing. Log in and send it as `Authorization: Bearer <token>`.",
  );
}
