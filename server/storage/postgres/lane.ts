import type { Client } from "pg";
import type { Row, Statement } from "../db.ts";
import { createPipeline, type PreparedStatements } from "./pipeline.ts";

/** One connection, and never another: what follows a `begin` must not end up elsewhere. */
export interface Session {
  /** All statements of a call are one transaction, unless they say `begin` themselves. */
  run(statements: readonly Statement[]): Promise<Row[][]>;
}

export interface Lane {
  session(): Promise<Session>;
  /** The next session is a new connection. */
  drop(): void;
  close(): Promise<void>;
}

export interface LaneOptions {
  /** Connects, or fails with the server's reason. */
  connect(): Promise<Client>;
  /** Whether statements may keep their names; asked for each new connection. */
  named(): boolean;
  /** A cut cable is never told to us: after so long without an answer the connection counts as lost. */
  answerTimeoutMs: number;
}

/** One connection that is there when it is needed, with one pipeline under way at a time. */
export function createLane({ connect, named, answerTimeoutMs }: LaneOptions): Lane {
  let current: { client: Client; session: Session } | undefined;

  async function open(): Promise<Session> {
    const client = await connect();
    // Between two pipelines the server may end the session; it is told here and must not be an uncaught error.
    client.on("error", () => forget(client));
    client.on("end", () => forget(client));
    const prepared: PreparedStatements = { byText: new Map(), named: named() };
    const session: Session = { run: (statements) => runOn(client, prepared, statements) };
    current = { client, session };
    return session;
  }

  function runOn(
    client: Client,
    prepared: PreparedStatements,
    statements: readonly Statement[],
  ): Promise<Row[][]> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        reject(new Error(`The database has not answered for ${answerTimeoutMs} ms.`));
        drop();
      }, answerTimeoutMs);
      client.query(
        createPipeline(statements, prepared, (error, rows) => {
          clearTimeout(timer);
          if (error === undefined) resolve(rows);
          else reject(error as Error);
        }),
      );
    });
  }

  function forget(gone: Client): void {
    if (current?.client === gone) current = undefined;
  }

  function drop(): void {
    const gone = current?.client;
    current = undefined;
    // Whatever is still under way on it is answered with an error by `pg`.
    if (gone !== undefined) cutOff(gone);
  }

  return {
    session: () => (current === undefined ? open() : Promise.resolve(current.session)),
    drop,
    async close() {
      const last = current?.client;
      current = undefined;
      await last?.end();
    },
  };
}

/** Without the goodbye that a dead line would never carry. */
export function cutOff(client: Client): void {
  (client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy();
}
