import type { IncomingMessage } from "node:http";
import proxyAddr from "@fastify/proxy-addr";

/** `TRUST_PROXY`: none, all, so many, or those with these addresses. */
export type TrustProxy = boolean | number | string[];

export type TrustAddress = (address: string, hop: number) => boolean;

/** A number means that many trusted proxies; a caller can forge every address before them. */
export function toTrustAddress(trustProxy: TrustProxy): TrustAddress {
  if (typeof trustProxy === "number") return (_address, hop) => hop < trustProxy;
  return typeof trustProxy === "boolean" ? () => trustProxy : proxyAddr.compile(trustProxy);
}

/** The address of the client as `request.ip` of a route, for requests that pass no route. */
export function clientAddressOf(trustProxy: TrustProxy): (request: IncomingMessage) => string {
  const trust = toTrustAddress(trustProxy);
  return (request) => proxyAddr(request, trust);
}
