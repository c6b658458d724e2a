import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Config } from "./config.ts";
import { AppError } from "./lib/errors.ts";

export interface Keys {
  /** The first one signs; all of them verify. */
  jwtSecrets: [string, ...string[]];
  /** The first key encrypts; all of them decrypt. */
  encryptionKeys: Buffer[];
}

/** Keys that are not configured are generated once and stored in the data folder with mode 0600. */
export function loadKeys(
  config: Pick<Config, "dataDir" | "jwtSecret" | "previousJwtSecrets" | "encryptionKeys">,
): Keys {
  return {
    jwtSecrets: [
      config.jwtSecret ?? loadOrCreateKey(config.dataDir, "jwt-secret"),
      ...config.previousJwtSecrets,
    ],
    encryptionKeys:
      config.encryptionKeys.length > 0
        ? [...config.encryptionKeys]
        : [Buffer.from(loadOrCreateKey(config.dataDir, "encryption-key"), "hex")],
  };
}

function loadOrCreateKey(folder: string, name: string): string {
  const path = join(folder, name);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (!existsSync(path)) {
    // Atomic: a crash or a full disk must not leave a truncated key.
    writeFileSync(`${path}.new`, randomBytes(32).toString("hex"), { mode: 0o600, flush: true });
    renameSync(`${path}.new`, path);
  }
  return readKey(path);
}

export function readKey(path: string): string {
  const key = readFileSync(path, "utf8").trim();
  if (!/^[0-9a-f]{64}$/.test(key)) {
    throw new AppError(
      "key_file_damaged",
      `The key in ${path} is damaged. Restore the file from a backup, or delete it to generate a new key. A new jwt-secret ends all logins; a new encryption-key makes stored secrets unreadable.`,
    );
  }
  return key;
}
