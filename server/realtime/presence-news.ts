const PRESENCE_NEWS_MS = 100;

/** Told once for all who come and go within a moment: a thousand who join would else be a million events. */
export function createPresenceNews(tell: (teamId: string) => void): (teamId: string) => void {
  const changed = new Set<string>();
  return (teamId) => {
    if (changed.size === 0) {
      setTimeout(() => {
        for (const id of changed) tell(id);
        changed.clear();
      }, PRESENCE_NEWS_MS).unref();
    }
    changed.add(teamId);
  };
}
