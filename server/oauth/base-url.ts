import type { FastifyRequest } from "fastify";
import { invalidRequest } from "../lib/errors.ts";

/** The issuer: PUBLIC_URL, else the address under which the client reached this service. */
export function createBaseUrl(publicUrl: string | undefined): (request: FastifyRequest) => string {
  return ({ protocol, headers }) => {
    if (publicUrl !== undefined) return publicUrl;
    // The Host header was checked; X-Forwarded-Host, which `request.host` may return, was not.
    const address = `${protocol}://${headers.host ?? ""}`;
    if (!URL.canParse(address)) throw invalidRequest("The Host header is missing.");
    return new URL(address).origin;
  };
}
