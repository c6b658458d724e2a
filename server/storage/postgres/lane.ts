import type { Client } from "pg";
import type { Row, Statement } from "../db.ts";
import { createMessageWriter } from "./message-writer.ts";
import { createPipeline, type PreparedStatements } from "./pipeline.ts";

/** One fixed connection: statements after a `begin` must reach the same one. */
export interface Session {
  /** The statements of one call are one transaction, unless they include `begin`. */
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
  /** Whether named prepared statements work; evaluated for each new connection. */
  named(): boolean;
  /** A cut cable raises no error: after this time without a reply the connection counts as lost. */
  replyTimeoutMs: number;
}

/** One connection, opened on demand, with one pipeline in flight at a time. */
export function createLane({ connect, named, replyTimeoutMs }: LaneOptions): Lane {
  let current: { client: Client; session: Session } | undefined;

  async function open(): Promise<Session> {
    const client = await connect();
    // The server may end the session between two pipelines; without a handler that would be an uncaught error.
    client.on("error", () => forget(client));
    client.on("end", () => forget(client));
    const prepared: PreparedStatements = {
      byText: new Map(),
      named: named(),
      writer: createMessageWriter(),
    };
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
        reject(new Error(`The database did not reply within ${replyTimeoutMs} ms.`));
        drop();
      }, replyTimeoutMs);
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
    // `pg` rejects the queries still in flight on it.
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

/** Closes the socket without the protocol's terminate message, which a dead connection would never deliver. */
export function cutOff(client: Client): void {
  (client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy();
}
