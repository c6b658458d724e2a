import { createHash, randomBytes } from "node:crypto";
import type { Clock } from "../lib/clock.ts";
import type { AppError } from "../lib/errors.ts";
import type { SecretBox } from "../security/secret-box.ts";
import type { AuthorizationStore } from "./authorization.sql.ts";

const PENDING_MS = 15 * 60_000;

export interface PendingAuthorizationsDeps<T> {
  store: Pick<AuthorizationStore<T>, "savePending" | "takePending">;
  box: SecretBox;
  clock: Clock;
  /** Binds the sealed authorization to its row. */
  contextOf(record: T): string;
  failed(what: string): AppError;
}

/** OAuth authorizations that wait for the user in the browser. Each is found by its `state`, which is stored hashed. */
export function createPendingAuthorizations<T extends { id: string; ownerId: string }, Pending>(
  deps: PendingAuthorizationsDeps<T>,
) {
  const { store, box, clock, contextOf, failed } = deps;
  return {
    async save(record: T, state: string, pending: Pending): Promise<void> {
      const text = JSON.stringify({ ...pending, expiresAt: clock.now() + PENDING_MS });
      const { id, ownerId } = record;
      const sealed = box.seal(text, contextOf(record));
      await store.savePending({ id, ownerId, sealed, stateHash: sha256(state) });
    },

    /** Only the user who started the authorization can finish it, once. */
    async take(ownerId: string, state: string): Promise<{ record: T; pending: Pending }> {
      const found = await store.takePending(sha256(state), ownerId);
      if (found === undefined)
        throw failed("This authorization was not started by you, or has already ended");
      const { record, sealed } = found;
      const pending = JSON.parse(box.open(sealed, contextOf(record))) as Pending & { expiresAt: number };
      if (pending.expiresAt < clock.now()) throw failed("The authorization took too long. Connect again");
      return { record, pending };
    },
  };
}

/** A `state` or a code verifier. */
export function randomText(): string {
  return randomBytes(32).toString("base64url");
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("base64url");
}
