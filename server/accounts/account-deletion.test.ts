import { expect, test } from "vitest";
import { createAccountDeletion, type OwnerData } from "./account-deletion.ts";

const clock = { now: () => 1000, monotonic: () => performance.now() };

/** Deletions as rows of a table, with claims. */
function createStore(owners: string[]) {
  const rows = new Map(owners.map((owner) => [owner, 0]));
  return {
    rows,
    claimNext(now: number, until: number) {
      const next = [...rows].find(([, claimedUntil]) => claimedUntil <= now)?.[0];
      if (next !== undefined) rows.set(next, until);
      return Promise.resolve(next);
    },
    extendClaim: (owner: string, until: number) => Promise.resolve(void rows.set(owner, until)),
    finish: (owner: string) => Promise.resolve(void rows.delete(owner)),
  };
}

function open(store: ReturnType<typeof createStore>, parts: OwnerData[], errors: unknown[] = []) {
  return createAccountDeletion({
    store,
    features: parts,
    clock,
    claimMs: 60_000,
    onError: (error) => errors.push(error),
  });
}

test("everything is stopped before anything is erased, in the order of the parts", async () => {
  const calls: string[] = [];
  const part = (name: string): OwnerData => ({
    stopOwner: (owner) => Promise.resolve(void calls.push(`stop ${name} of ${owner}`)),
    eraseOwner: (owner) => Promise.resolve(void calls.push(`erase ${name} of ${owner}`)),
  });
  const store = createStore(["ada"]);
  const deletion = open(store, [part("teams"), {}, part("tasks")]);
  deletion.poll();
  await expect.poll(() => store.rows.size).toBe(0);
  await deletion.close();
  expect(calls).toEqual([
    "stop teams of ada",
    "stop tasks of ada",
    "erase teams of ada",
    "erase tasks of ada",
  ]);
});

test("a deletion that fails stays for a later round and does not hold up the others", async () => {
  const store = createStore(["ada", "ben"]);
  const errors: unknown[] = [];
  const failing: OwnerData = {
    eraseOwner: (owner) => (owner === "ada" ? Promise.reject(new Error("disk full")) : Promise.resolve()),
  };
  const deletion = open(store, [failing], errors);
  deletion.poll();
  await expect.poll(() => [...store.rows.keys()]).toEqual(["ada"]);
  await expect.poll(() => store.rows.get("ada")).toBeGreaterThan(clock.now());
  await deletion.close();
  expect(errors).toHaveLength(1);
});

test("closing ends a deletion between two steps and releases its claim", async () => {
  const store = createStore(["ada"]);
  let steps = 0;
  const endless: OwnerData = {
    eraseOwner: (_owner, { deleteAll }) => deleteAll((limit) => ((steps += 1), Promise.resolve(limit))),
  };
  const errors: unknown[] = [];
  const deletion = open(store, [endless], errors);
  deletion.poll();
  await expect.poll(() => steps).toBeGreaterThan(2);
  await deletion.close();
  // Its claim is released: another process may continue at once.
  expect([...store.rows]).toEqual([["ada", 0]]);
  expect(errors).toEqual([]);
});
