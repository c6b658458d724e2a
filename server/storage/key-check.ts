import { createHash } from "node:crypto";
import { AppError } from "../lib/errors.ts";
import type { SecretBox } from "../security/secret-box.ts";
import type { Db } from "./db.ts";

export interface KeyCheckDeps {
  db: Pick<Db, "query" | "batch">;
  box: SecretBox;
  jwtSecrets: readonly [string, ...string[]];
  /** Several processes may use the database. */
  isShared: boolean;
  onProblem(message: string): void;
}

export const KEY_CHECK = "select sealed from key_check where id = 1";
const CONTEXT = "key check";

/**
 * Processes that share a database must share their keys, or one cannot open what another has sealed. The database keeps
 * a value that only the right key opens. A different JWT secret is a rotation or a mistake: it is logged and accepted. A
 * process with its own database also starts with another encryption key: after the loss of a key it can be used
 * again, once its secrets are entered again.
 */
export async function checkKeys({ db, box, jwtSecrets, isShared, onProblem }: KeyCheckDeps): Promise<void> {
  const [mark, ...previousMarks] = jwtSecrets.map(markOf) as [string, ...string[]];
  await db.batch([
    {
      sql: "insert into key_check (id, sealed) values (1, $sealed) on conflict do nothing",
      params: { sealed: box.seal(mark, CONTEXT) },
    },
  ]);
  const [row] = await db.query<{ sealed: string }>(KEY_CHECK);
  let kept = mark;
  try {
    kept = openKeyCheck(box, row?.sealed ?? "");
  } catch (error) {
    if (isShared || !(error instanceof AppError)) throw error;
    // The stored value stays, so that the next start says it again.
    return onProblem(error.message);
  }
  if (isShared && kept !== mark && !previousMarks.includes(kept)) {
    onProblem(
      "JWT_SECRET differs from the last start. Every process on this database needs the same secret; otherwise a login works in only one of them. To rotate it, list the old one in JWT_PREVIOUS_SECRETS",
    );
  }
  // Sealed again with the newest key, so that a key that was rotated out can be removed.
  await db.batch([
    {
      sql: "update key_check set sealed = $sealed where id = 1",
      params: { sealed: box.seal(mark, CONTEXT) },
    },
  ]);
}

function markOf(jwtSecret: string): string {
  return createHash("sha256").update(jwtSecret).digest("hex");
}

/** Seals the stored value with the newest key, so that the next start works without the older ones. */
export async function resealKeyCheck(db: KeyCheckDeps["db"], box: SecretBox): Promise<void> {
  const [row] = await db.query<{ sealed: string }>(KEY_CHECK);
  if (row === undefined) return;
  const sealed = box.seal(openKeyCheck(box, row.sealed), CONTEXT);
  await db.batch([{ sql: "update key_check set sealed = $sealed where id = 1", params: { sealed } }]);
}

/** Throws `encryption_key_differs`. */
export function openKeyCheck(box: SecretBox, sealed: string): string {
  try {
    return box.open(sealed, CONTEXT);
  } catch (cause) {
    throw new AppError(
      "encryption_key_differs",
      "ENCRYPTION_KEY is not the key this database was written with, so its secrets cannot be read. Use the same key in every process. To rotate it, list the new key first and the old one after a comma.",
      { cause },
    );
  }
}
