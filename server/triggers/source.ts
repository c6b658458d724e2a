import type { StoredTriggerKind } from "../../contract/triggers.ts";
import type { TriggerRecord } from "./trigger.sql.ts";
import type { FoundItem } from "./trigger-claims.sql.ts";

/** A check stops at this many items; the next one follows at once. */
export const ITEMS_PER_CHECK = 100;
/** For one check, all its requests included. */
export const CHECK_TIMEOUT_MS = 60_000;

export interface CheckResult {
  /** Oldest first. */
  items: FoundItem[];
  position: string;
  /** There were more than one check takes. */
  hasMore: boolean;
  /** Sealed; replaces the stored secrets. */
  secrets?: string;
}

export interface CheckContext {
  signal: AbortSignal;
  /** Keys of items that the trigger has found before. */
  knownKeys(keys: readonly string[]): Promise<ReadonlySet<string>>;
}

/** How a kind of trigger reads its source. It starts nothing: the loop does, with what it returns. */
export interface TriggerSource<Kind extends StoredTriggerKind> {
  /** Items after `trigger.position`. Called again after a crash, with the same position. */
  check(trigger: TriggerRecord<Kind>, context: CheckContext): Promise<CheckResult>;
  /** Ends what the trigger has at its source, when it is paused or removed. May be called again after a crash. */
  release?(trigger: TriggerRecord<Kind>, signal: AbortSignal): Promise<void>;
  /** The newest item, for a test; undefined when there is none. Changes nothing. */
  sample(trigger: TriggerRecord<Kind>, signal: AbortSignal): Promise<FoundItem | undefined>;
}
