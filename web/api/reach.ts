import { useSyncExternalStore } from "react";

const ASK_AGAIN_MS = 2000;
const listeners = new Set<() => void>();
let isAway = false;

function become(away: boolean): void {
  if (away === isAway) return;
  isAway = away;
  for (const listener of listeners) listener();
  if (away) void askUntilBack();
}

async function askUntilBack(): Promise<void> {
  while (isAway) {
    await new Promise((resolve) => setTimeout(resolve, ASK_AGAIN_MS));
    if (await answers()) become(false);
  }
}

async function answers(): Promise<boolean> {
  try {
    const response = await fetch("/health");
    // A proxy in front of a service that is away answers, too, with a page of its own.
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
 * Whether the service can be reached at all, which every request finds out by the way. The browser's own word for it is
 * of no use here: a service on the same machine is there without any network, and one that restarts is away with it.
 */
export const reach = {
  found: (): void => become(false),
  lost: (): void => become(true),
  /** For what is not asked through `call`: asks once, and then again and again until there is an answer. */
  async regained(): Promise<void> {
    if (await answers()) return become(false);
    become(true);
    await new Promise<void>((resolve) => {
      const stop = reach.whenBack(() => {
        stop();
        resolve();
      });
    });
  },
  whenBack: (listener: () => void): (() => void) => subscribe(() => !isAway && listener()),
};

export function useIsAway(): boolean {
  return useSyncExternalStore(subscribe, () => isAway);
}
