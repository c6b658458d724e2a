import { RECORD_KINDS, type RecordKind } from "./record-kinds.ts";

/** The kind of a route whose record is not listed: the action and the id are recorded, without the state. */
export const UNKNOWN_KIND = "unknown";

/** The kind of record that a route is about; `isCreated` when the route adds one. */
export function kindOfRoute(url: string, creates?: string): { kind: RecordKind; isCreated: boolean } {
  const created = RECORD_KINDS.find(({ kind, path }) =>
    creates === undefined ? path !== url && collectionOf(path) === url : kind === creates,
  );
  if (created !== undefined) return { kind: created, isCreated: true };
  const [found] = RECORD_KINDS.filter(({ path }) => url === path || url.startsWith(`${path}/`)).toSorted(
    (a, b) => b.path.length - a.path.length,
  );
  return { kind: found ?? { kind: UNKNOWN_KIND, path: url }, isCreated: false };
}

/** The parameter of the path that is the id of the record. */
export function idParameterOf({ path }: RecordKind): string | undefined {
  return /:(\w+)$/.exec(path)?.[1];
}

function collectionOf(path: string): string {
  return path.replace(/\/:\w+$/, "");
}
