import type { AuditVerification } from "../../contract/audit.ts";
import type { AuditStore } from "./audit-event.sql.ts";
import { hashOf } from "./chain.ts";

/** States are cut at 32,768 characters, so that a page is hashed in a few milliseconds. */
const EVENTS_PER_PAGE = 100;

/** Recomputes every hash from the anchor to the end, and names the first event that is changed, missing or out of place. */
export async function verifyChain(
  store: Pick<AuditStore, "head" | "listAfter">,
  chain: string,
): Promise<AuditVerification> {
  const head = await store.head(chain);
  if (head === undefined) {
    const [orphan] = await store.listAfter(chain, {}, { after: 0, limit: 1 });
    const problem = orphan && { sequence: orphan.sequence, message: "The record of the chain is missing." };
    const none = { events: 0, firstSequence: null, lastSequence: 0, lastHash: "" };
    return { ...none, valid: problem === undefined, problem: problem ?? null };
  }
  let { anchorSequence: sequence, anchorHash: hash } = head;
  let events = 0;
  let firstSequence: number | null = null;
  const end = (problem: AuditVerification["problem"]): AuditVerification => ({
    valid: problem === null,
    events,
    firstSequence,
    lastSequence: head.sequence,
    lastHash: head.hash,
    problem,
  });
  const broken = (at: number, message: string) => end({ sequence: at, message });

  while (sequence < head.sequence) {
    const page = await store.listAfter(chain, {}, { after: sequence, limit: EVENTS_PER_PAGE });
    for (const { previousHash, hash: stored, ...event } of page) {
      if (event.sequence > head.sequence) break;
      if (event.sequence !== sequence + 1) {
        const now = await store.head(chain);
        // The retention has deleted the oldest events in the meantime.
        if (now !== undefined && now.anchorSequence > sequence) return verifyChain(store, chain);
        return broken(sequence + 1, "The event is missing.");
      }
      if (previousHash !== hash)
        return broken(event.sequence, "The event does not follow the one before it.");
      if (hashOf(chain, event, previousHash) !== stored)
        return broken(event.sequence, "The event was changed after it was recorded.");
      firstSequence ??= event.sequence;
      sequence = event.sequence;
      hash = stored;
      events += 1;
    }
    if (page.length === 0) {
      const now = await store.head(chain);
      if (now !== undefined && now.anchorSequence > sequence) return verifyChain(store, chain);
      return broken(sequence + 1, "The event is missing.");
    }
  }
  return hash === head.hash ? end(null) : broken(head.sequence, "The chain does not end with this event.");
}
