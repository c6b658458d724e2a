import type { PriorDiscovery } from "@modelcontextprotocol/client";
import type { Clock } from "../lib/clock.ts";

const KEPT_MS = 10 * 60_000;
const MAX_ENTRIES = 1000;

/**
 * Whether a server speaks a version with or without handshake. It saves one round trip per call. Only servers that need
 * the handshake are kept: a server that no longer does still accepts it, so an old entry breaks nothing.
 */
export function createHandshakeCache(clock: Clock) {
  const legacyUntil = new Map<string, number>();
  return {
    find(url: URL): PriorDiscovery | undefined {
      return (legacyUntil.get(url.href) ?? 0) > clock.monotonic() ? { kind: "legacy" } : undefined;
    },
    save(url: URL, era: "legacy" | "modern" | undefined): void {
      legacyUntil.delete(url.href);
      if (era !== "legacy") return;
      legacyUntil.set(url.href, clock.monotonic() + KEPT_MS);
      const [oldest] = legacyUntil.keys();
      if (legacyUntil.size > MAX_ENTRIES && oldest !== undefined) legacyUntil.delete(oldest);
    },
  };
}
