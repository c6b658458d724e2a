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
  }
}

export type VerifyToken = (token: string) => Promise<string>;

/** Checks the token before the body is read: an unauthenticated caller costs one signature check. */
export function requireLogin(app: HttpServer, verify: VerifyToken): void {
  app.decorateRequest("userId", "");
  app.addHook("onRequest", (request, _reply, done) => {
    if (request.is404 || request.routeOptions.config.auth === "public") return done();
    login(request).then(() => done(), done);
  });
  async function login(request: FastifyRequest): Promise<void> {
    request.userId = await verify(bearerOf(request) ?? throwMissingToken());
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
