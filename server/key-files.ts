import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Config } from "./config.ts";
import { AppError } from "./lib/errors.ts";

export interface Keys {
  jwtSecret: string;
  /** The first seals, all of them open. */
  encryptionKeys: Buffer[];
}

/** Keys that the operator did not set are made once and kept in the data folder, readable by its owner alone. */
export function loadKeys(config: Pick<Config, "dataDir" | "jwtSecret" | "encryptionKeys">): Keys {
  return {
    jwtSecret: config.jwtSecret ?? keptKey(config.dataDir, "jwt-secret"),
    encryptionKeys:
      config.encryptionKeys.length > 0
        ? [...config.encryptionKeys]
        : [Buffer.from(keptKey(config.dataDir, "encryption-key"), "hex")],
  };
}

function keptKey(folder: string, name: string): string {
  const path = join(folder, name);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (!existsSync(path)) {
    // Whole or not at all: a process that dies here, or a full disk, must not leave half a key to be found.
    writeFileSync(`${path}.new`, randomBytes(32).toString("hex"), { mode: 0o600, flush: true });
    renameSync(`${path}.new`, path);
  }
  const key = readFileSync(path, "utf8").trim();
  if (!/^[0-9a-f]{64}$/.test(key)) {
    throw new AppError(
      "key_file_damaged",
      `The key in ${path} is damaged. Restore the file from a backup; or delete it to have a new one made, which ends all logins or makes stored secrets unreadable.`,
    );
  }
  return key;
}
