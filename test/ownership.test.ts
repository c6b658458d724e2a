import { expect, test } from "vitest";
import { requestBodies, pathsWithoutRecord, ownedRecords } from "./support/owned-records.ts";
import { registerUser, useTestApp } from "./support/test-app.ts";

interface Case {
  method: string;
  path: string;
}

/** Every operation of the OpenAPI document that names a record: a route added tomorrow is in here by itself. */
function casesOf(document: { paths: Record<string, Record<string, unknown>> }): Case[] {
  return Object.entries(document.paths)
    .filter(([path]) => path.includes("{") && !pathsWithoutRecord.some((pattern) => pattern.test(path)))
    .flatMap(([path, verbs]) => Object.keys(verbs).map((verb) => ({ method: verb.toUpperCase(), path })));
}

const fill = (path: string, values: Record<string, string>) =>
  path.replaceAll(/\{(\w+)\}/g, (_match, name: string) => values[name] ?? `no value for ${name}`);

test("[S13] [S15] another user's record is 403 for every verb of every route, an unknown one 404, and nothing changes", async () => {
  const app = await useTestApp();
  const alice = await registerUser(app, "alice");
  const mallory = await registerUser(app, "mallory");
  const document = (await app.anonymous.get("/api/openapi.json")).body;
  const cases = casesOf(document);
  expect(cases.length).toBeGreaterThan(10);
  // A route that is missing here has no owner to be tested against: add its record to ownedRecords.ts.
  expect(cases.filter(({ path }) => !ownedRecords.some((record) => record.path.test(path)))).toEqual([]);

  for (const { path: pattern, create, isHidden } of ownedRecords) {
    const mine = cases.filter(({ path }) => pattern.test(path));
    if (mine.length === 0) continue;
    const values = await create(alice);
    // An event stream stays open as long as its task runs, so it cannot be read to its end here.
    const readable = mine
      .filter(({ method, path }) => method === "GET" && !path.endsWith("/events"))
      .map(({ path }) => fill(path, values));
    const before = await Promise.all(readable.map((url) => alice.get(url)));
    for (const response of before) expect(response.status).toBeLessThan(300);

    for (const { method, path } of mine) {
      const body = method === "GET" ? undefined : (requestBodies[`${method} ${path}`] ?? {});
      const foreign = await mallory.call(fill(path, values), { method, body });
      expect([method, path, foreign.status, foreign.body?.error]).toEqual([
        method,
        path,
        ...(isHidden === true ? [404, expect.stringMatching(/_not_found$/)] : [403, "forbidden"]),
      ]);
      const unknownValues = Object.fromEntries(
        Object.entries(values).map(([name, value]) => [
          name,
          value.replace(/_.*$/, "_00000000000000000000000000000"),
        ]),
      );
      const unknown = await mallory.call(fill(path, unknownValues), { method, body });
      expect([method, path, unknown.status, unknown.body?.error]).toEqual([
        method,
        path,
        404,
        expect.stringMatching(/^[a-z]+(_[a-z]+)*_not_found$/),
      ]);
    }
    const after = await Promise.all(readable.map((url) => alice.get(url)));
    expect(after.map(({ text }) => text)).toEqual(before.map(({ text }) => text));
  }
});

/** Operations of the person take a login alone. */
const isPublic = ({ security }: { security?: unknown }) =>
  security !== undefined && JSON.stringify(security) !== JSON.stringify([{ login: [] }]);

test("[S13] lists contain only the caller's own records", async () => {
  const app = await useTestApp();
  const alice = await registerUser(app, "alice");
  const mallory = await registerUser(app, "mallory");
  const ids = await Promise.all(ownedRecords.map(({ create }) => create(alice)));
  const { paths } = (await app.anonymous.get("/api/openapi.json")).body;
  for (const [path, verbs] of Object.entries(paths) as [string, Record<string, { security?: unknown }>][]) {
    if (verbs["get"] === undefined || path.includes("{") || isPublic(verbs["get"])) continue;
    const { text } = await mallory.get(path);
    for (const { id } of ids) expect([path, text.includes(id ?? "never")]).toEqual([path, false]);
  }
});
