import type { RunnableWorkflow } from "../engine-api.ts";

const MAX_CACHED = 500;

/** A version never changes: whoever works on a thousand tasks of it loads it once. The least recently used give way. */
export function rememberVersions(
  load: (id: string, version: number) => Promise<RunnableWorkflow>,
): (id: string, version: number) => Promise<RunnableWorkflow> {
  const cache = new Map<string, RunnableWorkflow>();
  return async (id, version) => {
    const key = `${id}@${version}`;
    const known = cache.get(key);
    const workflow = known ?? (await load(id, version));
    cache.delete(key);
    cache.set(key, workflow);
    if (cache.size > MAX_CACHED) cache.delete(cache.keys().next().value!);
    return workflow;
  };
}
