export interface SubscribedOwners {
  has(ownerId: string): boolean;
  /** Reads the owners again; resolves when changes stored before the call are in effect. */
  reload(): Promise<void>;
}

/**
 * The owners with an active subscription, in memory: the call path asks for them with every write. A change in another
 * process takes effect with its notification.
 */
export function createSubscribedOwners(listOwners: () => Promise<string[]>): SubscribedOwners {
  let owners: ReadonlySet<string> = new Set();
  let last = Promise.resolve();
  return {
    has: (ownerId) => owners.has(ownerId),
    // One after the other: an older read must not replace a newer one.
    reload() {
      const reloaded = last.then(async () => {
        owners = new Set(await listOwners());
      });
      last = reloaded.catch(() => undefined);
      return reloaded;
    },
  };
}
