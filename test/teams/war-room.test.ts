import { expect, test } from "vitest";
import { connect, makeTeam, run, seqs, until, upTo, useTeamApp } from "./team-app.ts";

test("a message sent over the socket reaches all clients in the room, including the sender", async () => {
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

test("[R18] a client that rejoins gets what it missed, without gap or repeat, while messages keep arriving", async () => {
  const service = await useTeamApp();
  const { ada, address } = service;
  const team = await makeTeam(ada);
  const sessionId = await run(ada, team.id);
  const speak = async (from: number, to: number): Promise<void> => {
    for (let n = from; n <= to; n++)
      await ada.post(`/api/agent-teams/sessions/${sessionId}/messages`, { content: `${n}` });
  };
  const talk = speak(2, 150);
  const received: number[] = [];
  for (let visit = 0; received.at(-1) !== 150; visit++) {
    const client = await connect(address, ada.token);
    const { messages } = await client.ask("join_war_room", { sessionId, after: received.at(-1) ?? 0 });
    const missed = received.length;
    await until(
      () => client.messages(),
      (live) => live.length >= 20 || missed + messages.length + live.length >= 150,
    );
    client.socket.disconnect();
    received.push(...seqs(messages), ...seqs(client.messages()));
    if (visit > 100) break;
  }
  await talk;
  expect(received).toEqual(upTo(150));
});

test("a long history arrives complete: first the acknowledgement, then the rest as events, then new entries", async () => {
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

test("after leaving, a client receives no more events", async () => {
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

test("[R18] a client that does not read is disconnected, without an effect on the others", async () => {
  const service = await useTeamApp();
  const { ada, address } = service;
  const sessionId = await run(ada, (await makeTeam(ada)).id);
  const [slow, quick] = [await connect(address, ada.token), await connect(address, ada.token)];
  for (const client of [slow, quick]) await client.ask("join_war_room", { sessionId });
  // Like a closed laptop: the connection is open, but nothing is read from it.
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
