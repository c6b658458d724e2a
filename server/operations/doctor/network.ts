import { once } from "node:events";
import { connect } from "node:tls";
import type { Config } from "../../config.ts";
import { messageOf } from "../../lib/errors.ts";
import { isLoopbackName } from "../../security/address-classes.ts";
import { ok, type Outcome, problem, warn } from "./finding.ts";

const TIMEOUT_MS = 5000;
const DAY_MS = 24 * 3600 * 1000;
const RENEW_DAYS = 14;

/** Variables that other programs read. Names only: their values may have a password. */
export function checkProxyVariables(names: readonly string[]): Outcome {
  if (names.length === 0) return ok("no proxy for outgoing calls is set");
  return warn(
    `${names.join(", ")} is set, and Baton does not use it: steps connect directly.`,
    "If this network has no direct way out, allow one for this machine.",
  );
}

/** Without TRUST_PROXY, all callers have the address of the proxy and share one rate limit. */
export function checkTrustProxy({
  publicUrl,
  trustProxy,
}: Pick<Config, "publicUrl" | "trustProxy">): Outcome {
  const isSecure = publicUrl?.startsWith("https:") === true;
  if (isSecure && trustProxy === false)
    return warn(
      "PUBLIC_URL is https, so a proxy is in front, but TRUST_PROXY is not set: all callers share its address and one rate limit.",
      "Set TRUST_PROXY to the number of proxies.",
    );
  return ok(trustProxy === false ? "no proxy in front (TRUST_PROXY is not set)" : "TRUST_PROXY is set");
}

/** `ca` replaces the certificate authorities that Node trusts. */
export async function checkTls(
  { publicUrl, host }: Pick<Config, "publicUrl" | "host">,
  now: number,
  ca?: string,
): Promise<Outcome> {
  if (publicUrl === undefined) return ok(`not needed: PUBLIC_URL is not set, and Baton listens on ${host}`);
  const { protocol, hostname, port } = new URL(publicUrl);
  if (protocol === "http:") {
    if (isLoopbackName(hostname)) return ok("not needed: PUBLIC_URL is on this machine");
    return warn(
      "PUBLIC_URL is http: passwords and keys cross the network unencrypted.",
      "Put a proxy with TLS in front and set PUBLIC_URL to its https address.",
    );
  }
  try {
    const expiresAt = await certificateExpiry(hostname.replace(/^\[|\]$/g, ""), Number(port || 443), ca);
    const days = Math.floor((expiresAt - now) / DAY_MS);
    const message = `the certificate of ${hostname} is trusted and expires in ${days} days`;
    return days < RENEW_DAYS
      ? warn(message, "Renew it, and check why it was not renewed by itself.")
      : ok(message);
  } catch (error) {
    return problem(
      `PUBLIC_URL cannot be reached over TLS: ${describe(error, hostname)}.`,
      "Check the proxy and its certificate, the name in the DNS, and the firewall.",
    );
  }
}

async function certificateExpiry(host: string, port: number, ca: string | undefined): Promise<number> {
  const socket = connect({ host, port, servername: host, ALPNProtocols: ["http/1.1"], ...(ca && { ca }) });
  try {
    await once(socket, "secureConnect", { signal: AbortSignal.timeout(TIMEOUT_MS) });
    return Date.parse(socket.getPeerCertificate().valid_to);
  } finally {
    socket.on("error", () => undefined);
    socket.destroy();
  }
}

function describe(error: unknown, host: string): string {
  const { code, name } = error as NodeJS.ErrnoException;
  if (name === "AbortError" || name === "TimeoutError") return `${host} does not answer`;
  const known: Record<string, string> = {
    CERT_HAS_EXPIRED: "the certificate has expired",
    DEPTH_ZERO_SELF_SIGNED_CERT: "the certificate is self-signed",
    ERR_TLS_CERT_ALTNAME_INVALID: `the certificate is not for ${host}`,
    ENOTFOUND: `the name ${host} cannot be resolved`,
    ECONNREFUSED: `${host} refuses the connection`,
  };
  return known[code ?? ""] ?? messageOf(error);
}
