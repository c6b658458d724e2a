import { buildAdjacency, type Adjacency, type Links } from "./components.ts";

const WORD_BITS = 32;
// 1,024 sources per pass: with twenty thousand nodes the table of a pass is 2.5 MB for any number of queries.
const MAX_WORDS = 32;

/**
 * Answers many queries "is b reachable from a?" at once. Nodes must be numbered so that no link leads from a higher to
 * a lower number; a node reaches itself. Each pass walks the links once with one bit per source, so ten thousand queries
 * over a hundred thousand links take milliseconds; a search for each takes minutes.
 */
export function findReachable(count: number, links: Links, queries: Links): boolean[] {
  const incoming = buildAdjacency(count, links.to, links.from);
  const answers = answerDirectLinks(incoming, queries);
  const open = [...answers.keys()].filter((i) => !answers[i]);
  const sources = [...new Set(open.map((i) => queries.from[i]!))].sort((a, b) => a - b);
  const column = new Map(sources.map((source, i) => [source, i]));
  const passSize = MAX_WORDS * WORD_BITS;
  const byPass: number[][] = [];
  for (const i of open) (byPass[Math.floor(column.get(queries.from[i]!)! / passSize)] ??= []).push(i);

  byPass.forEach((queried, pass) => {
    const columns = sources.slice(pass * passSize, (pass + 1) * passSize);
    const table = fillTable(count, incoming, columns);
    for (const i of queried) {
      const bit = column.get(queries.from[i]!)! - pass * passSize;
      answers[i] = hasBit(table, queries.to[i]!, bit);
    }
  });
  return answers;
}

/** Most references are to the previous step; those need no table. */
function answerDirectLinks({ start, ends }: Adjacency, { from, to }: Links): boolean[] {
  const answers: boolean[] = Array.from({ length: from.length }, () => false);
  const asked = buildAdjacency(start.length - 1, to, [...to.keys()]);
  const markedFor = new Int32Array(start.length).fill(-1);
  for (let node = 0; node < start.length - 1; node++) {
    if (asked.start[node] === asked.start[node + 1]) continue;
    for (let e = start[node]!; e < start[node + 1]!; e++) markedFor[ends[e]!] = node;
    for (let q = asked.start[node]!; q < asked.start[node + 1]!; q++) {
      const query = asked.ends[q]!;
      answers[query] = markedFor[from[query]!] === node;
    }
  }
  return answers;
}

interface Table {
  bits: Uint32Array;
  words: number;
}

function fillTable(count: number, { start, ends }: Adjacency, columns: readonly number[]): Table {
  const words = Math.ceil(columns.length / WORD_BITS);
  const bits = new Uint32Array(count * words);
  columns.forEach((node, i) => {
    bits[node * words + (i >>> 5)]! |= 1 << (i & 31);
  });
  // No node before the first source is reachable from any of them.
  for (let node = (columns[0] ?? count) + 1; node < count; node++) {
    const row = node * words;
    for (let e = start[node]!; e < start[node + 1]!; e++) {
      const before = ends[e]! * words;
      for (let w = 0; w < words; w++) bits[row + w]! |= bits[before + w]!;
    }
  }
  return { bits, words };
}

function hasBit({ bits, words }: Table, node: number, bit: number): boolean {
  return (bits[node * words + (bit >>> 5)]! & (1 << (bit & 31))) !== 0;
}
