import type { Statement } from "./db.ts";

type ReservedKind = "slug" | "source";

/** Callers keep using a name after its owner released it; a stranger that took it over would receive their data. */
const RESERVED_MS = 30 * 24 * 60 * 60 * 1000;

/** Reserves the names that `from` selects with their `owner_id`, and removes expired reservations. */
export function reserveNames(
  kind: ReservedKind,
  { name, from, params, now }: { name: string; from: string; params: Statement["params"]; now: number },
): Statement[] {
  return [
    { sql: "delete from name_reservation where until <= $now", params: { now } },
    {
      sql: `insert into name_reservation (kind, name, owner_id, until)
            select '${kind}', ${name}, owner_id, cast($until as bigint) ${from}
            on conflict (kind, name, owner_id) do update set until = excluded.until`,
      params: { ...params, until: now + RESERVED_MS },
    },
  ];
}

/** SQL: the name is reserved for other owners only. `name`, `owner` and `now` are placeholders or columns. */
export function isReservedForOthers(
  kind: ReservedKind,
  { name, owner, now }: { name: string; owner: string; now: string },
): string {
  const reserved = `select 1 from name_reservation as reserved
    where reserved.kind = '${kind}' and reserved.name = ${name} and reserved.until > ${now}`;
  return `(exists (${reserved} and reserved.owner_id <> ${owner}) and not exists (${reserved} and reserved.owner_id = ${owner}))`;
}
