import { describe, expect, test } from "vitest";
import type { Db } from "../../server/storage/db.ts";
import { withResolvers } from "../support/with-resolvers.ts";

/** What every store relies on, whatever database is underneath. `open` gives an empty one. */
export function dbContract(name: string, open: () => Promise<Db>): void {
  const insert = (id: string, n = 0) => ({
    sql: "insert into item (id, n) values ($1, $2)",
    params: [id, n],
  });
  const openWithItems = async (): Promise<Db> => {
    const db = await open();
    await db.batch([{ sql: "create table item (id text primary key, n bigint, bytes bytea)" }]);
    return db;
  };
  const ids = async (db: Db) => (await db.query("select id from item order by id")).map((row) => row["id"]);

  describe(`a database of ${name}`, () => {
    test("placeholders may repeat, appear in any order, and skip numbers", async () => {
      const db = await openWithItems();
      await db.batch([insert("a", 7)]);
      expect(
        await db.query("select n, id from item where n = $4 and id = $2 and n >= $4", [null, "a", 3, 7]),
      ).toEqual([{ n: 7, id: "a" }]);
    });

    test("numbers, bytes and null keep their types", async () => {
      const db = await openWithItems();
      const bytes = new Uint8Array([0, 1, 255, 39, 92]);
      await db.batch([
        {
          sql: "insert into item (id, n, bytes) values ($1, $2, $3)",
          params: ["a", 1_800_000_000_123, bytes],
        },
        insert("b"),
      ]);
      const [first, second] = await db.query("select n, bytes, 0.5 * n as half from item order by id");
      expect(first).toMatchObject({ n: 1_800_000_000_123, half: 900_000_000_061.5 });
      expect(new Uint8Array(first!["bytes"] as Uint8Array)).toEqual(bytes);
      expect(second).toMatchObject({ n: 0, bytes: null });
      expect(await db.query("select count(*) as count, sum(n) as sum, max(id) as last from item")).toEqual([
        { count: 2, sum: 1_800_000_000_123, last: "b" },
      ]);
    });

    test("a batch is all or nothing and does not affect concurrent batches", async () => {
      const db = await openWithItems();
      const results = await Promise.allSettled([
        db.batch([insert("a")]),
        db.batch([insert("b"), insert("a")]),
        db.batch([insert("c")]),
        db.batch([insert("d"), { sql: "insert into nowhere (id) values (1)" }]),
        db.batch([insert("e")], { repeatable: true }),
        db.batch([insert("f"), { sql: "nonsense" }], { repeatable: true }),
      ]);
      expect(results.map(({ status }) => status === "fulfilled")).toEqual([
        true,
        false,
        true,
        false,
        true,
        false,
      ]);
      expect(await ids(db)).toEqual(["a", "c", "e"]);
    });

    test("a statement after a failed one is prepared again on its next use", async () => {
      const db = await openWithItems();
      const late = { sql: "update item set n = n + 1 where id = $1 returning n", params: ["a"] };
      for (const options of [{}, { repeatable: true }]) {
        await expect(db.batch([{ sql: "nonsense" }, late], options)).rejects.toThrow();
        expect(await db.batch([late], options)).toEqual([[]]);
      }
    });

    test("each statement returns its own rows", async () => {
      const db = await openWithItems();
      const [none, some, changed] = await db.batch([
        { sql: "delete from item returning id" },
        { sql: "insert into item (id, n) values ('x', 1), ('y', 2) returning id, n" },
        { sql: "update item set n = n + 10 where id = 'y' returning n" },
      ]);
      expect([none, some, changed]).toEqual([
        [],
        [
          { id: "x", n: 1 },
          { id: "y", n: 2 },
        ],
        [{ n: 12 }],
      ]);
    });

    test("a counted write returns how many rows it inserted, updated or deleted", async () => {
      const db = await openWithItems();
      const statements = [
        "insert into item (id, n) values ('a', 1), ('b', 2), ('c', 3)",
        "insert into item (id, n) values ('a', 9), ('d', 4) on conflict do nothing",
        "insert into item (id, n) values ('a', 1), ('b', 8) on conflict (id) do update set n = excluded.n where item.n = excluded.n",
        "update item set n = 0 where n > 2",
        "update item set n = 0 where id = 'none'",
        "delete from item where n = 0",
      ];
      for (const options of [{}, { repeatable: true }]) {
        const results = await db.batch(
          statements.map((sql) => ({ sql, counted: true })),
          options,
        );
        expect(results.map(([row]) => row?.["changes"])).toEqual([3, 1, 1, 2, 0, 2]);
        await db.batch([{ sql: "delete from item" }]);
      }
    });

    test("two hundred concurrent writes all succeed", async () => {
      const db = await openWithItems();
      const written = Array.from({ length: 200 }, (_, n) =>
        db.batch([insert(`i${n}`, n)], { repeatable: n % 2 === 0 }),
      );
      await Promise.all(written);
      expect(await db.query("select count(*) as n from item")).toEqual([{ n: 200 }]);
    });

    test("many rows are passed as one JSON text, scalars and objects alike", async () => {
      const db = await openWithItems();
      const rows = [
        { id: "x", n: 1_800_000_000_000 },
        { id: 'y "\\ ü 😀', n: 2 },
      ];
      const [inserted] = await db.batch([
        {
          sql: `insert into item (id, n) select e.value->>'id', cast(e.value->>'n' as bigint)
                from json_each(cast($1 as text)) as e where true on conflict do nothing returning id, n`,
          params: [JSON.stringify(rows)],
        },
      ]);
      expect(inserted).toEqual(rows);
      const asked = JSON.stringify(["x", rows[1]!.id, "z"]);
      expect(
        await db.query(
          "select n from item where id in (select value from json_each(cast($1 as text))) order by n",
          [asked],
        ),
      ).toEqual([{ n: 2 }, { n: 1_800_000_000_000 }]);
    });

    test("text with U+0000 can be stored and queried", async () => {
      const db = await openWithItems();
      expect(await db.query("select n from item where id = $1", ["task_\0"])).toEqual([]);
      await db.batch([insert("a\0b", 1)]);
      expect(await db.query("select n from item where id = $1", ["a\0b"])).toEqual([{ n: 1 }]);
      expect(await ids(db)).toEqual(["a\uFFFDb"]);
      const escaped = JSON.stringify([{ id: "c\0\0d" }, { id: "e\\u0000" }, { id: "\\\0" }]);
      await db.batch([
        {
          sql: "insert into item (id, n) select e.value->>'id', 2 from json_each(cast($1 as text)) as e where true",
          params: [escaped],
        },
      ]);
      expect(await ids(db)).toContain("e\\u0000");
      expect(await db.query("select count(*) as n from item where n = 2")).toEqual([{ n: 3 }]);
      const json = JSON.stringify({ text: "\0" });
      const [row] = await db.query("select cast($1 as text) as json", [json]);
      expect(row).toEqual({ json });
    });

    test("text is sorted by bytes", async () => {
      const db = await openWithItems();
      const words = ["a", "B", "Z", "_", "é", "b", "0", "~"];
      await db.batch(words.map((word) => insert(word)));
      expect(await ids(db)).toEqual(words.toSorted());
      expect((await db.query("select id from item where id > $1 order by id", ["_"])).length).toBe(4);
    });

    test("notifications reach every listener until it unsubscribes", async () => {
      const db = await open();
      const heard: string[] = [];
      const once = withResolvers();
      const stop = await db.listen("news", (payload) => {
        heard.push(payload);
        once.resolve();
      });
      db.notify("news", "one");
      await once.promise;
      await stop();
      db.notify("news", "two");
      const other = withResolvers();
      await db.listen("other", () => other.resolve());
      db.notify("other", "");
      await other.promise;
      expect(heard).toEqual(["one"]);
    });

    test("exclusive work runs one at a time", async () => {
      const db = await open();
      const log: string[] = [];
      const work = (name: string) =>
        db.exclusively(async () => {
          log.push(name);
          await db.query("select 1 as one");
          return name;
        });
      expect(await work("first")).toBe("first");
      await expect(db.exclusively(() => Promise.reject(new Error("of its own")))).rejects.toThrow(
        "of its own",
      );
      expect(await work("second")).toBe("second");
      expect(log).toEqual(["first", "second"]);
    });
  });
}
