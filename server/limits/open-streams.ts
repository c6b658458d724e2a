/** Counts open connections by key. A key without connections takes no memory. */
export function createConnectionCount() {
  const counts = new Map<string, number>();
  return {
    of: (key: string): number => counts.get(key) ?? 0,
    /** Returns the function that ends the connection. */
    add(key: string): () => void {
      let isOpen = true;
      counts.set(key, (counts.get(key) ?? 0) + 1);
      return () => {
        if (!isOpen) return;
        isOpen = false;
        const left = (counts.get(key) ?? 1) - 1;
        if (left === 0) counts.delete(key);
        else counts.set(key, left);
      };
    },
  };
}
