import type { IncomingMessage } from "node:http";
import type { FastifyRequest } from "fastify";

declare module "fastify" {
  interface FastifyContextConfig {
    /** HEAD gets a 404: the handler has effects, or its response does not end. */
    refusesHead?: true;
  }
}

const headRequests = new WeakSet<IncomingMessage>();

/**
 * Called before a route is searched: serves HEAD with the GET route of the path; Node omits the body of the response.
 * Fastify would register a second route for each, which takes 5 MB.
 */
export function routeHeadAsGet(request: IncomingMessage): void {
  if (request.method !== "HEAD") return;
  headRequests.add(request);
  request.method = "GET";
}

/** The method that the client sent. */
export function sentMethod({ raw, method }: Pick<FastifyRequest, "raw" | "method">): string {
  return headRequests.has(raw) ? "HEAD" : method;
}
