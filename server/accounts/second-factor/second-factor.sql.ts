import type { Db } from "../../storage/db.ts";

export interface SecondFactorState {
  enabledAt: number | null;
  recoveryCodesLeft: number;
}

/** What a code is compared with. */
export interface Attempt {
  sealedSecret: string;
  /** Attempts since the last success, this one included. */
  count: number;
  /** When the count starts again. */
  countUntil: number;
}

export type SecondFactorStore = ReturnType<typeof createSecondFactorStore>;

export function createSecondFactorStore(db: Db) {
  const isUser = "user_id = $userId";
  return {
    async find(userId: string): Promise<SecondFactorState | undefined> {
      const [row] = await db.query(
        `select enabled_at, (select count(*) from recovery_code where ${isUser}) as codes
         from second_factor where ${isUser}`,
        { userId },
      );
      if (row === undefined) return undefined;
      const enabledAt = row["enabled_at"] === null ? null : Number(row["enabled_at"]);
      return { enabledAt, recoveryCodesLeft: Number(row["codes"]) };
    },

    /** Replaces a secret that was never enabled. False when the second factor is on. */
    async prepare(userId: string, sealedSecret: string): Promise<boolean> {
      const [stored] = await db.batch([
        {
          sql: `insert into second_factor (user_id, secret) values ($userId, $sealedSecret)
                on conflict (user_id) do update set secret = excluded.secret
                where second_factor.enabled_at is null returning user_id`,
          params: { userId, sealedSecret },
        },
      ]);
      return stored?.length === 1;
    },

    async findPrepared(userId: string): Promise<string | undefined> {
      const [row] = await db.query(
        `select secret from second_factor where ${isUser} and enabled_at is null`,
        { userId },
      );
      return row?.["secret"] as string | undefined;
    },

    /** False when it was enabled or prepared again in the meantime. */
    async enable(
      userId: string,
      { sealedSecret, step, now }: { sealedSecret: string; step: number; now: number },
    ): Promise<boolean> {
      const [enabled] = await db.batch([
        {
          sql: `update second_factor set enabled_at = $now, last_step = $step
                where ${isUser} and secret = $sealedSecret and enabled_at is null returning user_id`,
          params: { userId, sealedSecret, now, step },
        },
      ]);
      return enabled?.length === 1;
    },

    /** Counts before the code is compared, so that concurrent guesses cannot exceed the limit. Undefined when it is off. */
    async countAttempt(userId: string, now: number, windowMs: number): Promise<Attempt | undefined> {
      const [[row] = []] = await db.batch([
        {
          sql: `update second_factor set
                  attempts = case when attempts_until <= $now then 1 else attempts + 1 end,
                  attempts_until = case when attempts_until <= $now then cast($now as bigint) + $windowMs else attempts_until end
                where ${isUser} and enabled_at is not null returning secret, attempts, attempts_until`,
          params: { userId, now, windowMs },
        },
      ]);
      if (row === undefined) return undefined;
      return {
        sealedSecret: row["secret"] as string,
        count: Number(row["attempts"]),
        countUntil: Number(row["attempts_until"]),
      };
    },

    /** False when a code of this step or a later one was accepted before. */
    async acceptStep(userId: string, step: number): Promise<boolean> {
      const [accepted] = await db.batch([
        {
          sql: `update second_factor set last_step = $step, attempts = 0, attempts_until = 0
                where ${isUser} and last_step < $step returning user_id`,
          params: { userId, step },
        },
      ]);
      return accepted?.length === 1;
    },

    /** False for an unknown code and for one that was used before. */
    async useRecoveryCode(userId: string, hash: string): Promise<boolean> {
      const [used] = await db.batch([
        {
          sql: `delete from recovery_code where ${isUser} and hash = $hash returning hash`,
          params: { userId, hash },
        },
      ]);
      if (used?.length !== 1) return false;
      await db.batch([
        {
          sql: `update second_factor set attempts = 0, attempts_until = 0 where ${isUser}`,
          params: { userId },
        },
      ]);
      return true;
    },

    async replaceRecoveryCodes(userId: string, hashes: readonly string[]): Promise<void> {
      await db.batch([
        { sql: `delete from recovery_code where ${isUser}`, params: { userId } },
        ...hashes.map((hash) => ({
          sql: "insert into recovery_code (user_id, hash) values ($userId, $hash)",
          params: { userId, hash },
        })),
      ]);
    },

    remove: (userId: string) => removeSecondFactor(db, userId),
  };
}

/** False when there was none. */
export async function removeSecondFactor(db: Db, userId: string): Promise<boolean> {
  const [, removed] = await db.batch([
    { sql: "delete from recovery_code where user_id = $userId", params: { userId } },
    { sql: "delete from second_factor where user_id = $userId returning user_id", params: { userId } },
  ]);
  return removed?.length === 1;
}
