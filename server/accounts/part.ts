import { randomUUID } from "node:crypto";
import type { Platform, Part } from "../platform/part.ts";
import type { Passwords } from "../security/passwords.ts";
import { createTokens } from "../security/tokens.ts";
import { type AccountDeletion, createAccountDeletion } from "./account-deletion.ts";
import { createAccountDeletionStore } from "./account-deletion.sql.ts";
import { accountRoutes } from "./account.routes.ts";
import { createAccountStore } from "./account.sql.ts";
import { createAccounts } from "./accounts.ts";
import { loginRoutes } from "./login.routes.ts";
import { createLoginStore } from "./login.sql.ts";
import { setupCodeOf } from "./setup-code.ts";
import { createLogins, type Logins } from "./logins.ts";

/** A class or an office that registers at once shares one IP address. */
const REGISTRATIONS_PER_LOGIN = 10;
/** Guesses from many addresses. More than one address may make, so that one stranger cannot lock an account. */
const ACCOUNT_LOGINS_PER_LOGIN = 3;

/**
 * scrypt shares libuv's four threads with the database's fsync: four concurrent hashes would delay every durable write by
 * a third of a second. One of the two slots is for logins only.
 */
const HASHING = {
  share: "passwords",
  slots: 2,
  urgentSlots: 1,
  perKey: 1,
  waiting: "waiting_passwords",
} as const;

const DELETION_CHANNEL = "account_deletion";
const DELETION_CLAIM_MS = 60_000;

export async function createAccountsPart(
  {
    config,
    clock,
    db,
    limiter,
    limits,
    report,
    jwtSecrets,
  }: Platform & { jwtSecrets: [string, ...string[]] },
  passwords: Passwords,
): Promise<
  Part & { logins: Logins; setupCode(): Promise<string | undefined>; useParts(parts: readonly Part[]): void }
> {
  const { loginPerMinute } = config.limits;
  const logins = createLogins({
    tokens: createTokens({ secrets: jwtSecrets, clock }),
    store: createLoginStore(db),
    clock,
    publish: (message) => db.notify("login", message),
  });
  const stopListening = await db.listen("login", logins.onPeerMessage);
  const store = createAccountStore(db);
  const deletions = createAccountDeletionStore(db);
  const setupCode = config.setupMode ? setupCodeOf(jwtSecrets[0]) : undefined;
  const accounts = createAccounts({
    store,
    logins,
    passwords,
    hashing: limits.share(HASHING),
    clock,
    allowRegistration: config.allowRegistration,
    setupCode,
    deletions,
    // Every message is unique: the database drops a repeated one.
    onDeletion: () => db.notify(DELETION_CHANNEL, randomUUID()),
  });
  const isShared = config.database.url !== undefined;
  let deletion: AccountDeletion | undefined;
  let parts: readonly Part[] = [];
  return {
    logins,
    setupCode: async () => ((await store.hasAny()) ? undefined : setupCode),
    routes(http) {
      accountRoutes(http, {
        accounts,
        loginLimiter: limiter("login", loginPerMinute),
        accountLimiter: limiter("account login", loginPerMinute * ACCOUNT_LOGINS_PER_LOGIN),
        registrationLimiter: limiter("registration", loginPerMinute * REGISTRATIONS_PER_LOGIN),
      });
      loginRoutes(http, { accounts, logins, clock, passwordLimiter: limiter("password", loginPerMinute) });
    },
    useParts: (built) => (parts = built),
    start() {
      deletion = createAccountDeletion({
        store: deletions,
        // A part depends on those before it, so its data is deleted first.
        owners: () => parts.toReversed(),
        clock,
        claimMs: isShared ? DELETION_CLAIM_MS : 0,
        onError: (error) => report(error, "deleting an account"),
      });
      const { poll } = deletion;
      void db
        .listen(DELETION_CHANNEL, poll)
        .catch((error: unknown) => report(error, "listening for account deletions"));
      poll();
    },
    stop: async () => deletion?.close(),
    close: () => stopListening(),
  };
}
