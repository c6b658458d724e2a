import type { Clock } from "../../lib/clock.ts";
import type { Claim } from "./document-claim.ts";
import type { DocumentStore } from "../store/document-record.ts";
import type { IngestionProgress } from "./ingestion-progress.ts";

export interface ClaimKeeperDeps {
  records: Pick<DocumentStore, "renew">;
  clock: Clock;
  /** Unset: nobody else works on these documents, and a claim needs no renewal. */
  leaseMs?: number | undefined;
}

/** Renews a claim, and with it what others see of the progress, until the returned function is called. */
export type KeepClaim = (claim: Claim, progress: IngestionProgress, onLost: () => void) => () => void;

/** Six times within a lease, so that one or two that are lost do no harm. */
export const RENEWALS_A_LEASE = 6;
/** Others see progress no later than this. */
const PROGRESS_MS = 1000;

export function createClaimKeeper({ records, clock, leaseMs }: ClaimKeeperDeps): KeepClaim {
  if (leaseMs === undefined) return () => () => undefined;
  const renewalMs = leaseMs / RENEWALS_A_LEASE;

  return (claim, progress, onLost) => {
    let told = JSON.stringify(progress);
    let renewedAt = clock.monotonic();
    let renewing = false;

    async function renew(): Promise<void> {
      const isDue = clock.monotonic() - renewedAt >= renewalMs;
      const standing = JSON.stringify(progress);
      if (renewing || (!isDue && standing === told)) return;
      renewing = true;
      try {
        if (!(await records.renew(claim, progress, clock.now()))) onLost();
        renewedAt = clock.monotonic();
        told = standing;
      } catch {
        // The database is away for a moment. If that takes too long, the next write finds the claim lost.
      } finally {
        renewing = false;
      }
    }

    const timer = setInterval(() => void renew(), Math.min(PROGRESS_MS, renewalMs)).unref();
    return () => clearInterval(timer);
  };
}
