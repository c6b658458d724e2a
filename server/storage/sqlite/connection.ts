import { createRequire } from "node:module";

/** The part of `node:sqlite` we use; `@photostructure/sqlite` has the same one for Node 20. */
export interface SqliteStatement {
  all(...params: unknown[]): Record<string, unknown>[];
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

/** Node has SQLite inside from 22.13 on; before that the same API comes with its binaries from npm. */
export function openConnection(path: string): SqliteConnection {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  const builtIn = major > 22 || (major === 22 && minor >= 13);
  const { DatabaseSync } = builtIn ? loadBuiltIn() : (require("@photostructure/sqlite") as SqliteModule);
  return new DatabaseSync(path);
}

/** Node 22 announces its SQLite as experimental on every start: that one warning is kept from the terminal. */
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
