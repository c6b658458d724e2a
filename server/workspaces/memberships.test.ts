import { expect, test } from "vitest";
import type { Role } from "../../contract/roles.ts";
import { systemClock } from "../lib/clock.ts";
import { createMemberships } from "./memberships.ts";

function createWatched() {
  const roles = new Map<string, Role>([["ada", "builder"]]);
  const memberships = createMemberships({
    findRole: (_workspaceId, userId) => Promise.resolve(roles.get(userId)),
    exists: () => Promise.resolve(true),
    clock: systemClock,
    publish: () => undefined,
  });
  const ended: string[] = [];
  const watch = (userId: string) =>
    memberships.watch("team", userId, "builder", () => void ended.push(userId));
  return { roles, memberships, ended, watch, settle: () => new Promise((resolve) => setImmediate(resolve)) };
}

test("a connection ends once when the role of its member changes, also after several changes at once", async () => {
  const { roles, memberships, ended, watch, settle } = createWatched();
  watch("ada");
  await settle();
  expect(ended).toEqual([]);
  roles.set("ada", "viewer");
  for (let change = 0; change < 3; change++) memberships.changed("team");
  await settle();
  memberships.endConnections("team");
  expect(ended).toEqual(["ada"]);
});

test("a connection that has closed is not ended by a check in flight", async () => {
  const { roles, memberships, ended, watch, settle } = createWatched();
  const stop = watch("ada");
  roles.delete("ada");
  memberships.changed("team");
  stop();
  await settle();
  expect(ended).toEqual([]);
});
