import { isIP } from "node:net";
import type { ConnectionOptions } from "node:tls";
import type { DatabaseTarget } from "../database-url.ts";

export type TlsTrust = Pick<ConnectionOptions, "ca">;

/** The certificate must be that of the host name, although the socket is connected to an address. */
export function tlsOptions({ host, tls }: Pick<DatabaseTarget, "host" | "tls">, trust: TlsTrust = {}) {
  return {
    ...trust,
    ...(isIP(host) === 0 && { servername: host }),
    host,
    minVersion: "TLSv1.2" as const,
    rejectUnauthorized: tls === "verified",
  };
}
