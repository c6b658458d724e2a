import { io } from "socket.io-client";
import { expect, onTestFinished, test } from "vitest";
import { registerUser, useTestApp } from "../support/test-app.ts";
import { createTeamWorkspace, inWorkspace } from "../support/workspaces.ts";

test("a move ends the sockets of the former workspace: its members do not follow the record to the other one", async () => {
  const app = await useTestApp();
  const [ada, ben] = [await registerUser(app, "ada"), await registerUser(app, "ben")];
  const source = await createTeamWorkspace(ada, [[ben, "viewer"]]);
  const target = await createTeamWorkspace(ada);
  const { team } = (await inWorkspace(ada, source).post("/api/agent-teams", { name: "Desk" })).body;
  const address = await app.http.listen({ port: 0, host: "127.0.0.1" });
  async function join(person: typeof ben, workspace: string) {
    const auth = { token: person.token, workspace };
    const socket = io(address, { auth, transports: ["websocket"], reconnection: false, forceNew: true });
    onTestFinished(() => void socket.close());
    const ended = new Promise((resolve) => socket.on("disconnect", resolve));
    await new Promise((resolve) => socket.on("connect", () => resolve(undefined)));
    return { socket, ended, joined: await socket.emitWithAck("join_war_room", { teamId: team.id }) };
  }
  const before = await Promise.all([join(ben, source), join(ada, source)]);
  expect(before.map(({ joined }) => joined.ok)).toEqual([true, true]);
  const move = (query: string) =>
    inWorkspace(ada, source).post(`/api/agent-teams/${team.id}/move${query}`, { workspaceId: target });
  expect((await move("?dryRun=true")).status).toBe(200);
  // An answer after the dry run: nothing has ended the sockets.
  for (const { socket } of before)
    expect(await socket.timeout(5000).emitWithAck("join_war_room", { teamId: team.id })).toMatchObject({
      ok: true,
    });
  expect((await move("")).status).toBe(200);
  await Promise.all(before.map(({ ended }) => ended));
  expect((await join(ben, source)).joined).toMatchObject({ ok: false, error: "forbidden" });
  expect((await join(ada, target)).joined.ok).toBe(true);
});
