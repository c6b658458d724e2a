import { randomUUID } from "node:crypto";
import { statusOfError } from "../../contract/errors.ts";
import { AppError } from "../lib/errors.ts";

export interface WatchedCredential {
  /** The workspace that it opens and the account behind it: a change of either checks it again. */
  subjects: readonly string[];
  /** Throws when the credential no longer opens what it opened. */
  check(): Promise<unknown>;
  onEnd(): void;
}

/** Bounds how long a stream outlives a credential that expires, or whose end was announced while messages were lost. */
const RECHECK_MS = 30_000;

/** The credential may have ended between its check and its watch. A short request is over by then and costs no query. */
const FIRST_RECHECK_MS = 1000;

export type CredentialWatch = ReturnType<typeof createCredentialWatch>;

/**
 * Ends streams of programs with the credential that opened them: API keys, access tokens of apps, secrets of teams.
 * `publish` sends a message to the other processes.
 */
export function createCredentialWatch(publish: (message: string) => void) {
  /** Each with the function that stops its watch. */
  const watched = new Map<WatchedCredential, () => void>();

  /** A database that cannot be read ends no stream. */
  function recheck(credential: WatchedCredential): void {
    credential.check().catch((error: unknown) => {
      if (error instanceof AppError && statusOfError(error.code) < 500) end(credential);
    });
  }

  /** Several checks may be in flight: the first that fails ends it. */
  function end(credential: WatchedCredential): void {
    const stop = watched.get(credential);
    if (stop === undefined) return;
    stop();
    credential.onEnd();
  }

  /** An empty subject means all. */
  function recheckAll(subject: string): void {
    for (const credential of watched.keys())
      if (subject === "" || credential.subjects.includes(subject)) recheck(credential);
  }

  return {
    /** Calls `onEnd` one time when the credential is no longer valid, for responses that outlive a request. */
    watch(credential: WatchedCredential): () => void {
      const interval = setInterval(() => recheck(credential), RECHECK_MS).unref();
      const first = setTimeout(() => recheck(credential), FIRST_RECHECK_MS).unref();
      const stop = (): void => {
        clearInterval(interval);
        clearTimeout(first);
        watched.delete(credential);
      };
      watched.set(credential, stop);
      return stop;
    },

    /** Credentials of this workspace or account have changed. */
    changed(subject: string): void {
      recheckAll(subject);
      // Every message is unique: the database drops a repeated one.
      publish(`${subject} ${randomUUID()}`);
    },

    /** A message about a credential, a login or a membership; empty when messages may have been missed. */
    onPeerMessage: (message: string): void => recheckAll(message.split(" ")[0] ?? ""),
  };
}
