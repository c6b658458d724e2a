import { createHash, randomBytes } from "node:crypto";
import { toBase32 } from "../../security/totp.ts";

const COUNT = 10;
/** 80 bits: nobody finds a code from its hash, so a fast hash is enough. */
const CODE_BYTES = 10;

/** New codes, as people copy them: `abcd-efgh-ijkl-mnop`. */
export function createRecoveryCodes(): string[] {
  return Array.from({ length: COUNT }, () =>
    toBase32(randomBytes(CODE_BYTES))
      .toLowerCase()
      .replace(/(.{4})(?!$)/g, "$1-"),
  );
}

/** What is stored. The user is part of it: equal codes of two users have different hashes. */
export function hashRecoveryCode(userId: string, code: string): string {
  const typed = code.toLowerCase().replaceAll(/[\s-]/g, "");
  return createHash("sha256").update(`baton recovery code\0${userId}\0${typed}`).digest("hex");
}
