import { isRecord } from "../../contract/placeholders/json-value.ts";
import type { SecretBox } from "../security/secret-box.ts";
import type { Db } from "../storage/db.ts";
import { SEALED_COLUMNS } from "../storage/sealed-columns.ts";

/** Sealed JSON whose texts are all secret, and JSON that has them among other fields. Other columns are one secret. */
const SECRET_JSON = new Set(["secrets", "headers"]);
const MIXED_JSON = new Set(["oauth", "pending", "sealed", "tokens"]);
const SECRET_FIELD = /(credentials|key|password|secret|token|verifier)$/i;

/** Reads every secret that a workspace has stored: a record may contain one by mistake. */
export function createWorkspaceSecrets(db: Db, box: SecretBox) {
  const sources = SEALED_COLUMNS.flatMap((source) => {
    const [first, key, ...others] = source.keys;
    return first === "owner_id" && key !== undefined && others.length === 0 ? [{ ...source, key }] : [];
  });
  const sql = sources
    .map(
      ({ table, column, key }, index) =>
        `select ${index} as source, ${key} as key, ${column} as sealed from ${table}
         where owner_id = $ownerId and ${column} like 'v1.%'`,
    )
    .join(" union all ");

  return async (ownerId: string): Promise<Set<string>> => {
    const secrets = new Set<string>();
    for (const row of await db.query(sql, { ownerId })) {
      const { column, key, contextOf } = sources[Number(row["source"])]!;
      const text = openOr(box, String(row["sealed"]), contextOf({ owner_id: ownerId, [key]: row["key"] }));
      if (text !== undefined) for (const secret of secretsIn(column, text)) secrets.add(secret);
    }
    return secrets;
  };
}

/** Undefined for a value whose key is lost: the value can still be replaced. */
function openOr(box: SecretBox, sealed: string, context: string): string | undefined {
  try {
    return box.open(sealed, context);
  } catch {
    return undefined;
  }
}

function* secretsIn(column: string, text: string): Generator<string> {
  if (SECRET_JSON.has(column)) yield* texts(JSON.parse(text));
  else if (MIXED_JSON.has(column)) yield* texts(JSON.parse(text), SECRET_FIELD);
  else yield text;
}

/** The texts in a JSON value whose field has a name that matches; `Bearer abc` without its scheme, too. */
function* texts(json: unknown, wanted = /^/, name = ""): Generator<string> {
  if (typeof json === "string") {
    if (!wanted.test(name)) return;
    yield json;
    yield json.replace(/^\S+\s+/, "");
  } else if (Array.isArray(json)) for (const item of json) yield* texts(item, wanted, name);
  else if (isRecord(json))
    for (const [field, value] of Object.entries(json)) yield* texts(value, wanted, field);
}
