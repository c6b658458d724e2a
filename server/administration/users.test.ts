import { expect, onTestFinished, test } from "vitest";
import { insertAccounts, openTestDb } from "../../test/support/open-db.ts";
import { openUsers } from "./open-users.sql.ts";

test("the logins of a disabled account end even if the set of disabled accounts cannot be read again", async () => {
  const { db, close } = await openTestDb();
  onTestFinished(close);
  await insertAccounts(db, ["user_ada", "user_ben"]);
  const ended: string[] = [];
  const users = openUsers(
    db,
    { now: () => 5 },
    {
      loginsEnded: (id) => void ended.push(id),
      membersChanged: () => undefined,
      disabledChanged: () => Promise.reject(new Error("unreachable")),
    },
  );
  await expect(users.change("user_ben", { disabled: true })).rejects.toThrow("unreachable");
  expect(ended).toEqual(["user_ben"]);
});
