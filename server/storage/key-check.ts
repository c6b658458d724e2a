import { createHash } from "node:crypto";
import { AppError } from "../lib/errors.ts";
import type { SecretBox } from "../security/secret-box.ts";
import type { Db } from "./db.ts";

export interface KeyCheckDeps {
  db: Pick<Db, "query" | "batch">;
  box: SecretBox;
  jwtSecret: string;
  onProblem(message: string): void;
}

const CONTEXT = "key check";

/**
 * Processes that share a database must share their keys, or one cannot open what another has sealed. The database keeps
 * a text that only the right key opens. Another JWT secret is a rotation or a mistake: it is told, and taken.
 */
export async function checkKeys({ db, box, jwtSecret, onProblem }: KeyCheckDeps): Promise<void> {
  const mark = createHash("sha256").update(jwtSecret).digest("hex");
  await db.batch([
    {
      sql: "insert into key_check (id, sealed) values (1, $1) on conflict do nothing",
      params: [box.seal(mark, CONTEXT)],
    },
  ]);
  const [row] = await db.query<{ sealed: string }>("select sealed from key_check where id = 1");
  const kept = open(box, row?.sealed ?? "");
  if (kept !== mark) {
    onProblem(
      "JWT_SECRET is not the one of the last start: every process on this database needs the same, or logins hold in one of them only",
    );
  }
  // Sealed anew, so that a key which was rotated out can go.
  await db.batch([
    { sql: "update key_check set sealed = $1 where id = 1", params: [box.seal(mark, CONTEXT)] },
  ]);
}

function open(box: SecretBox, sealed: string): string {
  try {
    return box.open(sealed, CONTEXT);
  } catch (cause) {
    throw new AppError(
      "encryption_key_differs",
      "ENCRYPTION_KEY is not the one that this database was written with, so its secrets could not be read. Give every process the same key; to rotate it, put the new one in front and keep the old one behind a comma.",
      { cause },
    );
  }
}
