import { useSyncExternalStore } from "react";

const POLL_MS = 2000;
const listeners = new Set<() => void>();
let isOffline = false;

function setOffline(offline: boolean): void {
  if (offline === isOffline) return;
  isOffline = offline;
  for (const listener of listeners) listener();
  if (offline) void pollUntilOnline();
}

async function pollUntilOnline(): Promise<void> {
  while (isOffline) {
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    if (await isHealthy()) setOffline(false);
  }
}

async function isHealthy(): Promise<boolean> {
  try {
    const response = await fetch("/health");
    // A proxy in front of a stopped service may respond with an HTML page and status 200.
    return response.ok && (response.headers.get("content-type") ?? "").includes("json");
  } catch {
    return false;
  }
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/**
 * Whether the service is reachable, as reported by every request. `navigator.onLine` does not answer this: a service on
 * the same machine needs no network, and a restarting service is down while the network is up.
 */
export const connection = {
  restored: (): void => setOffline(false),
  lost: (): void => setOffline(true),
  /** Resolves as soon as the service is healthy; for loads that do not go through `request`. */
  async untilOnline(): Promise<void> {
    if (await isHealthy()) return setOffline(false);
    setOffline(true);
    await new Promise<void>((resolve) => {
      const stop = connection.onRestored(() => {
        stop();
        resolve();
      });
    });
  },
  onRestored: (listener: () => void): (() => void) => subscribe(() => !isOffline && listener()),
};

export function useIsOffline(): boolean {
  return useSyncExternalStore(subscribe, () => isOffline);
}
