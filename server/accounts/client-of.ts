import type { FastifyRequest } from "fastify";
import { isStorableText } from "../../contract/api.ts";
import type { ClientInfo } from "./logins.ts";

const MAX_USER_AGENT = 300;

/** Shown in the list of logins, so that a user recognizes their own. */
export function clientOf(request: FastifyRequest): ClientInfo {
  const userAgent = request.headers["user-agent"]?.slice(0, MAX_USER_AGENT);
  return {
    userAgent: userAgent !== undefined && isStorableText(userAgent) ? userAgent : null,
    address: request.ip,
  };
}
