import { io, type Socket } from "socket.io-client";
import type { NewSwarmMessage } from "../../contract/realtime.ts";
import { startChild } from "../../test/chaos/child-service.ts";
import { cpuMs, residentMb } from "../process-cost.ts";
import { signIn } from "../service-client.ts";
import { quantile } from "../statistics.ts";

export interface RoomsLoad {
  clients: number;
  rooms: number;
  perSecond: number;
  seconds: number;
}

export interface RoomsReport {
  sent: number;
  delivered: number;
  problems: string[];
  p50Ms: number;
  p99Ms: number;
  /** Resident memory of the service, in MB: at rest, with all clients joined, then every ten seconds. */
  memory: number[];
  /** CPU time of the service per message, which does not depend on the load of the machine. */
  cpuMsPerMessage: number;
}

/** Sends messages at a fixed rate; every client checks that it receives each `seq` once and in order. */
export async function loadRooms(
  dataDir: string,
  { clients, rooms, perSecond, seconds }: RoomsLoad,
): Promise<RoomsReport> {
  const service = await startChild({ LOG_LEVEL: "error", DATA_DIR: dataDir, TEAM_JOIN_WAIT_MS: "0" });
  const sockets: Socket[] = [];
  try {
    const memory = [Math.round(residentMb(service.pid))];
    const { token, post } = await signIn(service.address);
    const sessions: string[] = [];
    for (let n = 0; n < rooms; n++) {
      const { team } = await post("/api/agent-teams", { name: `Room ${n}` });
      sessions.push((await post(`/api/agent-teams/${team.id}/run`, { objective: "Listen" }))["sessionId"]);
    }

    const delays: number[] = [];
    const problems: string[] = [];
    const lastSeq = new Map<Socket, number>();
    for (let n = 0; n < clients; n++) {
      const socket = io(service.address, { auth: { token }, transports: ["websocket"], forceNew: true });
      sockets.push(socket);
      const sessionId = sessions[n % rooms];
      await new Promise<void>((resolve, reject) =>
        socket.once("connect", resolve).once("connect_error", reject),
      );
      const { messages } = await socket.emitWithAck("join_war_room", { sessionId });
      lastSeq.set(socket, messages.at(-1)?.seq ?? 0);
      socket.on("NEW_SWARM_MESSAGE", ({ message }: NewSwarmMessage) => {
        if (message.seq !== lastSeq.get(socket)! + 1)
          problems.push(`client ${n}: ${message.seq} after ${lastSeq.get(socket)}`);
        lastSeq.set(socket, message.seq);
        delays.push(Date.now() - Number(message.content["sentAt"]));
      });
    }
    memory.push(Math.round(residentMb(service.pid)));

    const total = perSecond * seconds;
    let acknowledged = 0;
    const sample = setInterval(() => memory.push(Math.round(residentMb(service.pid))), 10_000);
    const cpuBefore = cpuMs([service.pid]);
    const startedAt = performance.now();
    for (let n = 0; n < total; n++) {
      const dueIn = startedAt + (n * 1000) / perSecond - performance.now();
      if (dueIn > 1) await new Promise((resolve) => setTimeout(resolve, dueIn));
      void sockets[n % clients]!.emitWithAck("send_message", {
        sessionId: sessions[n % rooms],
        content: { text: "Hello", sentAt: Date.now() },
      }).then(() => (acknowledged += 1));
    }
    const expected = Math.floor((total * clients) / rooms);
    const deadline = performance.now() + 30_000;
    while ((acknowledged < total || delays.length < expected) && performance.now() < deadline)
      await new Promise((resolve) => setTimeout(resolve, 20));
    clearInterval(sample);
    const cpuMsPerMessage = (cpuMs([service.pid]) - cpuBefore) / total;
    if (delays.length !== expected) problems.push(`${delays.length} deliveries of ${expected}`);
    return {
      sent: acknowledged,
      delivered: delays.length,
      problems,
      p50Ms: quantile(delays, 0.5),
      p99Ms: quantile(delays, 0.99),
      memory,
      cpuMsPerMessage,
    };
  } finally {
    for (const socket of sockets) socket.disconnect();
    await service.end("SIGKILL");
  }
}
