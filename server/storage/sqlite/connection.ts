import { createRequire } from "node:module";

/** The part of `node:sqlite` in use; `@photostructure/sqlite` provides the same API for Node 20. */
export interface SqliteStatement {
  all(...params: unknown[]): Record<string, unknown>[];
  run(...params: unknown[]): { changes: number | bigint };
  setReadBigInts(enabled: boolean): void;
}
export interface SqliteConnection {
  exec(sql: string): void;
  prepare(sql: string): SqliteStatement;
  close(): void;
}
interface SqliteModule {
  DatabaseSync: new (path: string) => SqliteConnection;
}

const require = createRequire(import.meta.url);

/** Node includes SQLite from 22.13 on; before that an npm package provides the same API with prebuilt binaries. */
export function openConnection(path: string): SqliteConnection {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  const builtIn = major > 22 || (major === 22 && minor >= 13);
  const { DatabaseSync } = builtIn ? loadBuiltIn() : (require("@photostructure/sqlite") as SqliteModule);
  return new DatabaseSync(path);
}

/** Node 22 prints an experimental warning for SQLite on every start; only that warning is suppressed. */
function loadBuiltIn(): SqliteModule {
  const emitWarning = process.emitWarning;
  process.emitWarning = ((warning: string | Error, ...rest: unknown[]) => {
    if (!String(warning).includes("SQLite")) (emitWarning as (...args: unknown[]) => void)(warning, ...rest);
  }) as typeof process.emitWarning;
  try {
    return require("node:sqlite") as SqliteModule;
  } finally {
    process.emitWarning = emitWarning;
  }
}
