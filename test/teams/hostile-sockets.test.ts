import { Manager } from "socket.io-client";
import { expect, onTestFinished, test } from "vitest";
import { connect, makeTeam, run, useTeamApp } from "./team-app.ts";

const SEPARATOR = "\u001e";
const POLLING = "/socket.io/?EIO=4&transport=polling";

const packets = (packet: string, count: number): string => Array(count).fill(packet).join(SEPARATOR);

/** Begins a connection of long polling and posts one body, as anybody can. */
async function post(address: string, body: string) {
  const opened = await (await fetch(address + POLLING)).text();
  const { sid } = JSON.parse(opened.slice(1)) as { sid: string };
  const url = `${address}${POLLING}&sid=${sid}`;
  const posted = await fetch(url, { method: "POST", body, headers: { "content-type": "text/plain" } }).then(
    ({ status }) => status,
    () => 0,
  );
  return { url, posted };
}

/** A WebSocket on which Socket.IO packets of any kind can be sent: 0 asks for a login. */
async function openRaw(address: string) {
  const manager = new Manager(address, { transports: ["websocket"], reconnection: false });
  onTestFinished(() => manager.engine.close() as unknown as void);
  await new Promise((resolve) => manager.once("open", () => resolve(undefined)));
  const ended = new Promise<string>((resolve) => manager.once("close", resolve));
  return { write: (data: string) => manager.engine.write(data), ended };
}

test("[R18] without a login a client may send no more than a login needs", async () => {
  const { address } = await useTeamApp();
  expect((await post(address, packets("3", 100_000))).posted).toBe(413);
  const long = await openRaw(address);
  long.write(`0${JSON.stringify({ token: "x".repeat(20_000) })}`);
  expect(await long.ended).toMatch(/transport/);
});

test("[R18] a connection that asks for a login again and again is ended", async () => {
  const { address } = await useTeamApp();
  const { url } = await post(address, packets("40", 1000));
  const refusals = await (await fetch(url)).text();
  expect(refusals.split(SEPARATOR).length).toBeLessThan(25);
  const again = await openRaw(address);
  for (let n = 0; n < 30; n++) again.write("0");
  expect(await again.ended).toMatch(/transport/);
});

test("[R18] binary attachments, which would be collected in memory, end the connection", async () => {
  const { address, ada } = await useTeamApp();
  const { socket } = await connect(address, ada.token);
  const ended = new Promise<string>((resolve) => socket.once("disconnect", resolve));
  socket.emit("watch_task", { taskId: Buffer.alloc(10) });
  expect(await ended).toMatch(/transport/);
});

test.each([
  ["too deeply nested", `2["watch_task",${"[".repeat(20_000)}${"]".repeat(20_000)}]`],
  ["of too many values", `2["watch_task",[${"0,".repeat(100_000)}0]]`],
])("[R18] a message %s ends the connection before it is parsed", async (_what, packet) => {
  const { address, ada } = await useTeamApp();
  const { socket } = await connect(address, ada.token);
  const ended = new Promise<string>((resolve) => socket.once("disconnect", resolve));
  socket.io.engine.write(packet);
  expect(await ended).toMatch(/transport/);
});

test("[R18] a body with thousands of packets ends a logged-in poller", async () => {
  const { address, ada } = await useTeamApp();
  const { socket } = await connect(address, ada.token, { transports: ["polling"] });
  const ended = new Promise<string>((resolve) => socket.once("disconnect", resolve));
  socket.io.engine.write(packets("3", 5000));
  expect(await ended).toMatch(/transport/);
});

test("[R18] every request of a client that sends thousands at once is answered", async () => {
  const { address, ada } = await useTeamApp();
  const sessionId = await run(ada, (await makeTeam(ada)).id);
  const client = await connect(address, ada.token);
  const answers = await Promise.all(
    Array.from({ length: 3000 }, () => client.ask("leave_war_room", { sessionId })),
  );
  expect(answers.filter(({ ok }) => ok)).toHaveLength(3000);
});

test("[R18] a client that leaves cannot keep its connection, which no limit counts any more", async () => {
  const { address, ada } = await useTeamApp();
  const { socket } = await connect(address, ada.token);
  const ended = new Promise<string>((resolve) => socket.io.once("close", resolve));
  // The packet of Socket.IO, which is `41` on the wire.
  socket.io.engine.write("1");
  expect(await ended).toMatch(/transport/);
});

test.each([
  ["the address", {}],
  ["the address that a trusted proxy forwards", { TRUST_PROXY: "1" }],
])("[R18] connections without a login are counted by %s", async (_what, settings) => {
  const { address } = await useTeamApp({ STREAMS_PER_USER: "2", ...settings });
  const open = async (client = "203.0.113.1"): Promise<number> => {
    const headers = { "x-forwarded-for": client };
    const opened = await (await fetch(address + POLLING, { headers })).text();
    const { sid } = JSON.parse(opened.slice(1)) as { sid: string };
    const url = `${address}${POLLING}&sid=${sid}`;
    return (await fetch(url, { method: "POST", body: "40" }).catch(() => ({ status: 0 }))).status;
  };
  expect([await open(), await open(), await open()]).toEqual([200, 200, 400]);
  expect(await open("203.0.113.2")).toBe("TRUST_PROXY" in settings ? 200 : 400);
});
