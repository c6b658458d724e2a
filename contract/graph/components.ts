/** Edges as plain numbers: the i-th leads from `from[i]` to `to[i]`. */
export interface Links {
  from: number[];
  to: number[];
}

/** For each node the other ends of its edges: `ends[start[n]] … ends[start[n + 1] - 1]`. */
export interface Adjacency {
  start: Int32Array;
  ends: Int32Array;
}

export function buildAdjacency(count: number, near: readonly number[], far: readonly number[]): Adjacency {
  const start = new Int32Array(count + 1);
  for (const node of near) start[node + 1]! += 1;
  for (let node = 0; node < count; node++) start[node + 1]! += start[node]!;
  const ends = new Int32Array(near.length);
  const next = start.slice();
  near.forEach((node, i) => {
    ends[next[node]!++] = far[i]!;
  });
  return { start, ends };
}

export interface Components {
  /** The component of each node. They are numbered in topological order: edges lead from lower to higher. */
  of: Int32Array;
  count: number;
}

/**
 * Strongly connected components after Tarjan, with an explicit stack instead of recursion: a chain of twenty thousand
 * steps must not overflow the call stack. Nodes and edges are visited last to first, which keeps the final numbering
 * close to the order of the list.
 */
export function findComponents(count: number, { from, to }: Links): Components {
  const { start, ends } = buildAdjacency(count, from, to);
  const visitedAt = new Int32Array(count);
  const lowest = new Int32Array(count);
  const cursor = start.slice(1);
  const of = new Int32Array(count).fill(-1);
  const open: number[] = [];
  const path: number[] = [];
  let visits = 0;
  let closed = 0;

  for (let root = count - 1; root >= 0; root--) {
    if (visitedAt[root] !== 0) continue;
    path.push(root);
    while (path.length > 0) {
      const node = path[path.length - 1]!;
      if (visitedAt[node] === 0) {
        visitedAt[node] = lowest[node] = ++visits;
        open.push(node);
      }
      if (cursor[node]! > start[node]!) {
        const end = ends[--cursor[node]!]!;
        if (visitedAt[end] === 0) path.push(end);
        else if (of[end] === -1) lowest[node] = Math.min(lowest[node]!, visitedAt[end]!);
        continue;
      }
      path.pop();
      const parent = path[path.length - 1];
      if (parent !== undefined) lowest[parent] = Math.min(lowest[parent]!, lowest[node]!);
      if (lowest[node] !== visitedAt[node]) continue;
      let member: number;
      do {
        member = open.pop()!;
        of[member] = closed;
      } while (member !== node);
      closed += 1;
    }
  }
  // Tarjan closes a component after everything it leads to, so the numbers are reversed.
  for (let node = 0; node < count; node++) of[node] = closed - 1 - of[node]!;
  return { of, count: closed };
}
