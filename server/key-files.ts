import { randomBytes } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Config } from "./config.ts";

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
  try {
    // "wx": never overwrite. A key that is lost makes everything sealed with it unreadable.
    writeFileSync(path, randomBytes(32).toString("hex"), { mode: 0o600, flag: "wx" });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
  return readFileSync(path, "utf8").trim();
}
