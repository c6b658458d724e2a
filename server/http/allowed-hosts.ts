import { AppError } from "../lib/errors.ts";
import { isLoopbackName, normalizeHost } from "../security/address-classes.ts";

/** A name or an address with an optional port. Browsers send names in ASCII. */
const HOST_HEADER = /^(\[[0-9a-f:.]+\]|[\w.-]+)(?::\d{1,5})?$/i;

export interface HostNames {
  /** The address on which the service listens. */
  host: string;
  publicUrl: string | undefined;
  /** Names, `*.domain`s and addresses. */
  allowedHosts: readonly string[];
}

export type IsAllowedHost = (hostHeader: string | undefined) => boolean;

/**
 * Whether a request was sent to a name of this service. In DNS rebinding, a page points its own name at this machine: the
 * browser then treats this service as part of that page, and only the Host header still names the page.
 * A missing header is allowed: browsers always send it, and HTTP/1.0 clients need not.
 */
export function createHostCheck({ host, publicUrl, allowedHosts }: HostNames): IsAllowedHost {
  const own = publicUrl === undefined ? [] : [new URL(publicUrl).hostname];
  const entries = [host, ...own, ...allowedHosts].map(normalizeHost);
  const names = new Set(entries.filter((entry) => !entry.startsWith("*.")));
  const suffixes = entries.filter((entry) => entry.startsWith("*.")).map((entry) => entry.slice(1));
  return (header) => {
    if (header === undefined) return true;
    const [, given] = HOST_HEADER.exec(header) ?? [];
    if (given === undefined) return false;
    const name = normalizeHost(given);
    if (names.has(name) || isLoopbackName(name)) return true;
    return suffixes.some((suffix) => name.endsWith(suffix));
  };
}

export function hostNotAllowed(): AppError {
  return new AppError(
    "host_not_allowed",
    "This service is not served under the name in the Host header. The operator can add the name to ALLOWED_HOSTS or set PUBLIC_URL.",
  );
}
