/** Storage of the browser that never throws: where it is blocked or full, a value lasts until the page is closed. */

/** Kept for all tabs. */
export const localValues = createStorage(() => localStorage);
/** Kept for this tab. */
export const tabValues = createStorage(() => sessionStorage);

/** A browser that blocks storage throws already when it is named. */
function createStorage(open: () => Storage) {
  const refused = new Map<string, string>();
  function read(key: string): string | null {
    try {
      return refused.get(key) ?? open().getItem(key);
    } catch {
      return null;
    }
  }
  return {
    read,
    /** Undefined also when the text is not JSON. */
    readJson(key: string): unknown {
      try {
        return JSON.parse(read(key) ?? "null") ?? undefined;
      } catch {
        return undefined;
      }
    },
    save(key: string, text: string): void {
      try {
        open().setItem(key, text);
        refused.delete(key);
      } catch {
        refused.set(key, text);
      }
    },
    remove(key: string): void {
      refused.delete(key);
      try {
        open().removeItem(key);
      } catch {
        // Blocked storage holds nothing.
      }
    },
  };
}
