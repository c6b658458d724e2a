import type { ConnectionKind, ConnectionTest, CreateConnection } from "../../contract/connections.ts";
import type { Clock } from "../lib/clock.ts";
import { AppError } from "../lib/errors.ts";
import type { Egress } from "../security/egress.ts";
import { createRedactor } from "../security/redact.ts";
import { redactError } from "../security/redact-result.ts";
import type { ConnectionApps, TestConnection } from "./connection-app.ts";
import { connectionFetch } from "./connection-fetch.ts";
import type { ConnectionUse, UsedConnection } from "./connection-use.ts";
import type { ConnectionUses } from "./connection-uses.ts";
import type { ConnectionRecord, ConnectionStore } from "./connection.sql.ts";
import type { Connections } from "./connections.ts";

const TIMEOUT_MS = 15_000;

export interface ConnectionTestsDeps {
  connections: Connections;
  uses: ConnectionUses;
  store: ConnectionStore;
  apps: ConnectionApps;
  egress: Pick<Egress, "fetch">;
  /** Tests of the kinds that are not sent by HTTP. */
  testsByKind: Readonly<Partial<Record<ConnectionKind, TestConnection>>>;
  clock: Clock;
  /** A stored connection works, perhaps again. */
  onConnected(record: ConnectionRecord): void;
}

/** Tests connections, also before they are saved. */
export function createConnectionTests(deps: ConnectionTestsDeps) {
  const { connections, uses, store, apps, egress, testsByKind, clock, onConnected } = deps;

  async function call(record: UsedConnection, use: ConnectionUse): ReturnType<TestConnection> {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const app = record.app === null ? undefined : await apps.find(record.ownerId, record.app);
    const test = app?.test ?? testsByKind[record.kind];
    if (test !== undefined) return test(use, signal);
    const { testUrl } = record.settings;
    if (typeof testUrl !== "string")
      return {
        account: null,
        untested: "There is nothing to call. Add a test URL that needs the credential.",
      };
    const response = await connectionFetch(egress, use, testUrl, { signal, timeoutMs: TIMEOUT_MS });
    if (response.status > 299)
      throw new AppError("http_error", `${new URL(testUrl).host} answered ${response.status}.`);
    return { account: null };
  }

  async function run(record: UsedConnection): Promise<ConnectionTest> {
    const startedAt = clock.monotonic();
    const answer = (status: ConnectionTest["status"], message: string, account: string | null = null) => ({
      status,
      message,
      account,
      ms: Math.round(clock.monotonic() - startedAt),
    });
    let use: ConnectionUse | undefined;
    try {
      use = uses.open(record);
      const result = await call(record, use);
      if (result.untested !== undefined) return answer("untested", result.untested);
      const account = result.account && createRedactor(use.secrets()).text(result.account).slice(0, 200);
      return answer("connected", "", account);
    } catch (error) {
      const redacted = redactError(error, use?.secrets() ?? []);
      // A fault of this service is reported as one, not as a fault of the connection.
      if (!(redacted instanceof AppError)) throw redacted;
      return answer(
        record.status === "authorization_needed" ? "authorization_needed" : "failing",
        redacted.message,
      );
    }
  }

  return {
    /** A body that is not saved. */
    async unsaved(ownerId: string, given: CreateConnection): Promise<ConnectionTest> {
      return run({ ...(await connections.build(ownerId, given)), isUnsaved: true });
    },

    async stored(ownerId: string, id: string): Promise<ConnectionTest> {
      const result = await run(await store.get(id, ownerId));
      const { status, message, account } = result;
      if (status === "untested") return result;
      // Read again: the test may have renewed the tokens.
      const record = await store.get(id, ownerId);
      await store.saveState(record, {
        status,
        problem: status === "connected" ? null : message,
        ...(account === null ? {} : { account }),
        isTest: true,
        at: clock.now(),
      });
      if (status === "connected") onConnected(record);
      return result;
    },
  };
}

export type ConnectionTests = ReturnType<typeof createConnectionTests>;
