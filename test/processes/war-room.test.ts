import { expect, test } from "vitest";
import { connect, ended, makeAgents, makeTeam, readLog, run, speakerOf, until } from "../teams/team-app.ts";
import { stubModelSettings, useStubModelServer } from "../support/stub-model-server.ts";
import { registerUser } from "../support/test-app.ts";
import { useProcessGroup } from "./several.ts";

async function useRooms(settings: Record<string, string> = {}) {
  const stub = await useStubModelServer();
  stub.answerWith((request) => `${speakerOf(request)} has spoken`);
  const several = await useProcessGroup({
    ...stubModelSettings(stub),
    TEAM_JOIN_WAIT_MS: "600000",
    ...settings,
  });
  const [one, two] = [await several.join("api"), await several.join("api")];
  await several.join("worker");
  const ada = await registerUser(one, "ada");
  const team = await makeTeam(ada, { agents: await makeAgents(ada, "Ann", "Ben") });
  return { one, two, ada, team };
}

test("[R19] a client of one process receives a run in another at once, whole and in order", async () => {
  const { two, ada, team } = await useRooms();
  const client = await connect(await two.listen(), ada.token);
  await client.ask("join_war_room", { teamId: team.id });
  // Without a client in the other process it would wait for ten minutes.
  const sessionId = await run(ada, team.id);
  await ended(ada, sessionId);
  const log = await readLog(ada, sessionId);
  await until(
    () => client.messages(),
    (messages) => messages.length >= log.length,
  );
  expect(client.messages()).toEqual(log);
  expect(log.map(({ seq }) => seq)).toEqual(log.map((_, index) => index + 1));
});

test("a message sent to one process reaches the other, and the agents respond", async () => {
  const { one, two, ada, team } = await useRooms({ TEAM_JOIN_WAIT_MS: "0" });
  const [here, there] = [
    await connect(await one.listen(), ada.token),
    await connect(await two.listen(), ada.token),
  ];
  await here.ask("join_war_room", { teamId: team.id });
  await there.ask("join_war_room", { teamId: team.id });
  const sessionId = await run(ada, team.id);
  await ended(ada, sessionId);
  const before = (await readLog(ada, sessionId)).length;
  expect(await here.ask("send_message", { sessionId, content: "And now?" })).toMatchObject({ ok: true });
  await until(
    () => readLog(ada, sessionId),
    (log) => log.length > before + 1,
  );
  await ended(ada, sessionId);
  const log = await readLog(ada, sessionId);
  for (const client of [here, there]) {
    await until(
      () => client.messages(),
      (messages) => messages.length >= log.length,
    );
    expect(client.messages()).toEqual(log);
  }
});

test("clients in the room are counted across processes", async () => {
  const { one, two, ada, team } = await useRooms();
  const here = await connect(await one.listen(), ada.token);
  await here.ask("join_war_room", { teamId: team.id });
  const there = await connect(await two.listen(), ada.token);
  await there.ask("join_war_room", { teamId: team.id });
  const present = (): unknown => here.events.findLast(([name]) => name === "ROOM_PRESENCE")?.[1]["present"];
  await until(present, (count) => count === 2);
  there.socket.disconnect();
  await until(present, (count) => count === 1);
});
