import type { SourceLink } from "../source/source.ts";
import { groupBy } from "../../lib/group-by.ts";

/** The names that lines lead to from `starts`, with them; the walk ends at `stop`. */
export function reachable(
  starts: readonly string[],
  next: ReadonlyMap<string, string[]>,
  stop: string,
): Set<string> {
  const found = new Set<string>();
  const open = [...starts];
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    if (found.has(name) || name === stop) continue;
    found.add(name);
    open.push(...(next.get(name) ?? []));
  }
  return found;
}

/** Leaves out every line that leads back, as a walk from the first nodes finds them. */
export function withoutCycles(
  names: readonly string[],
  links: readonly SourceLink[],
  remove: (link: SourceLink) => void,
): SourceLink[] {
  const outgoing = groupBy(
    links,
    ({ from }) => from,
    (link) => link,
  );
  const targets = new Set(links.map(({ to }) => to));
  const state = new Map<string, "open" | "done">();
  const back = new Set<SourceLink>();
  const starts = [...names.filter((name) => !targets.has(name)), ...names];
  for (const start of starts) {
    if (state.has(start)) continue;
    const path: { name: string; at: number }[] = [{ name: start, at: 0 }];
    state.set(start, "open");
    for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
      const link = outgoing.get(top.name)?.[top.at];
      top.at += 1;
      if (link === undefined) {
        state.set(top.name, "done");
        path.pop();
      } else if (state.get(link.to) === "open") back.add(link);
      else if (!state.has(link.to)) {
        state.set(link.to, "open");
        path.push({ name: link.to, at: 0 });
      }
    }
  }
  for (const link of back) remove(link);
  return links.filter((link) => !back.has(link));
}

/** Names in an order without lines back; ties in the order of the file. */
export function topological(
  names: readonly string[],
  links: readonly { from: string; to: string }[],
): string[] {
  const next = groupBy(
    links,
    ({ from }) => from,
    ({ to }) => to,
  );
  const waiting = new Map(names.map((name) => [name, 0]));
  for (const { to } of links) waiting.set(to, (waiting.get(to) ?? 0) + 1);
  const ready = names.filter((name) => waiting.get(name) === 0);
  for (let at = 0; at < ready.length; at++)
    for (const name of next.get(ready[at] ?? "") ?? []) {
      const left = (waiting.get(name) ?? 0) - 1;
      waiting.set(name, left);
      if (left === 0) ready.push(name);
    }
  const found = new Set(ready);
  return [...ready, ...names.filter((name) => !found.has(name))];
}
