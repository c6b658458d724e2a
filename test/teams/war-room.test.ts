import { expect, test } from "vitest";
import { connect, makeTeam, run, seqs, until, upTo, useTeamApp } from "./team-app.ts";

test("people speak over the socket and are heard by all in it, also by themselves", async () => {
  const service = await useTeamApp();
  const { ada, address } = service;
  const team = await makeTeam(ada);
  const sessionId = await run(ada, team.id);
  const [one, two] = [
    await connect(address, ada.token),
    await connect(address, ada.token, { transports: ["polling"] }),
  ];
  await one.ask("join_war_room", { teamId: team.id });
  expect(await two.ask("join_war_room", { sessionId })).toMatchObject({ present: 2 });
  const ack = await one.ask("send_message", { sessionId, content: "Hello" });
  expect(ack).toMatchObject({ ok: true, sessionId, seq: 2, messageId: expect.stringMatching(/^msg_/) });
  for (const client of [one, two]) {
    await until(
      () => client.messages(),
      (messages) => messages.length === 1,
    );
    expect(client.messages()[0]).toMatchObject({
      seq: 2,
      content: { text: "Hello" },
      from: { id: ada.user.id, type: "user" },
    });
  }
});

test("[R18] a client that comes back gets what it missed, without gap or repeat, while others go on speaking", async () => {
  const service = await useTeamApp();
  const { ada, address } = service;
  const team = await makeTeam(ada);
  const sessionId = await run(ada, team.id);
  const speak = async (from: number, to: number): Promise<void> => {
    for (let n = from; n <= to; n++)
      await ada.post(`/api/agent-teams/sessions/${sessionId}/messages`, { content: `${n}` });
  };
  const talk = speak(2, 150);
  const heard: number[] = [];
  for (let visit = 0; heard.at(-1) !== 150; visit++) {
    const client = await connect(address, ada.token);
    const { messages } = await client.ask("join_war_room", { sessionId, after: heard.at(-1) ?? 0 });
    const missed = heard.length;
    await until(
      () => client.messages(),
      (live) => live.length >= 20 || missed + messages.length + live.length >= 150,
    );
    client.socket.disconnect();
    heard.push(...seqs(messages), ...seqs(client.messages()));
    if (visit > 100) break;
  }
  await talk;
  expect(heard).toEqual(upTo(150));
});

test("a long history comes whole: as much as the answer holds, then the rest as events, then what is new", async () => {
  const service = await useTeamApp();
  const { ada, address } = service;
  const sessionId = await run(ada, (await makeTeam(ada)).id);
  await Promise.all(
    upTo(799).map((n) => ada.post(`/api/agent-teams/sessions/${sessionId}/messages`, { content: `${n}` })),
  );
  const client = await connect(address, ada.token);
  const { messages } = await client.ask("join_war_room", { sessionId });
  await client.ask("send_message", { sessionId, content: "the last one" });
  await until(
    () => client.messages(),
    (live) => live.at(-1)?.seq === 801,
  );
  expect(messages).toHaveLength(200);
  expect([...seqs(messages), ...seqs(client.messages())]).toEqual(upTo(801));
});

test("after leaving, nothing more is heard", async () => {
  const service = await useTeamApp();
  const { ada, address } = service;
  const team = await makeTeam(ada);
  const sessionId = await run(ada, team.id);
  const [gone, stays] = [await connect(address, ada.token), await connect(address, ada.token)];
  for (const client of [gone, stays]) await client.ask("join_war_room", { teamId: team.id });
  expect(await gone.ask("leave_war_room")).toEqual({ ok: true });
  await stays.ask("send_message", { sessionId, content: "Hello" });
  await until(
    () => stays.messages(),
    (messages) => messages.length === 1,
  );
  expect(gone.messages()).toEqual([]);
});

test("[R18] a client that does not read is dropped, and the others notice nothing", async () => {
  const service = await useTeamApp();
  const { ada, address } = service;
  const sessionId = await run(ada, (await makeTeam(ada)).id);
  const [slow, quick] = [await connect(address, ada.token), await connect(address, ada.token)];
  for (const client of [slow, quick]) await client.ask("join_war_room", { sessionId });
  // As a laptop that was closed: the connection is there, nobody takes anything from it.
  (slow.socket.io.engine.transport as unknown as { ws: { _socket: { pause(): void } } }).ws._socket.pause();
  const large = "x".repeat(900_000);
  const count = 40;
  for (let n = 0; n < count; n++)
    await ada.post(`/api/agent-teams/sessions/${sessionId}/messages`, { content: large });
  await until(
    () => quick.events.at(-1),
    () => quick.events.some(([name, { present }]) => name === "ROOM_PRESENCE" && present === 1),
  );
  await until(
    () => quick.messages(),
    (messages) => messages.length === count,
  );
  expect(seqs(quick.messages())).toEqual(upTo(count + 1).slice(1));
});
