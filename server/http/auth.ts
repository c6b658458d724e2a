import type { FastifyRequest } from "fastify";
import { AppError } from "../lib/errors.ts";
import type { HttpServer } from "./server.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /** `public` routes take no login; everything else does, also what is added tomorrow. */
    auth?: "public";
  }
  interface FastifyRequest {
    userId: string;
  }
}

export type VerifyToken = (token: string) => Promise<string>;

/** Decided before a byte of the body is read: an unknown caller costs one signature check and nothing else. */
export function requireLogin(app: HttpServer, verify: VerifyToken): void {
  app.decorateRequest("userId", "");
  app.addHook("onRequest", (request, _reply, done) => {
    if (request.is404 || request.routeOptions.config.auth === "public") return done();
    login(request).then(() => done(), done);
  });
  async function login(request: FastifyRequest): Promise<void> {
    request.userId = await verify(bearerOf(request) ?? missing());
  }
}

export function bearerOf(request: FastifyRequest): string | undefined {
  return /^bearer +(.+)$/i.exec(request.headers.authorization ?? "")?.[1];
}

function missing(): never {
  throw new AppError("missing_token", "Log in first and send the token as `Authorization: Bearer <token>`.");
}
