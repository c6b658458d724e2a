import { io } from "socket.io-client";
import { startChild } from "../../test/chaos/child-service.ts";
import { signIn } from "../service-client.ts";
import { quantile } from "../statistics.ts";

/** Measures the time from the call that runs a team to the first NEW_SWARM_MESSAGE in the room. */
export async function runLatency(dataDir: string, runs: number): Promise<{ p50Ms: number; p95Ms: number }> {
  const service = await startChild({ LOG_LEVEL: "error", DATA_DIR: dataDir });
  try {
    const { token, post } = await signIn(service.address);
    const { team } = await post("/api/agent-teams", { name: "Crew" });
    const socket = io(service.address, { auth: { token }, transports: ["websocket"], forceNew: true });
    await new Promise<void>((resolve) => socket.once("connect", resolve));
    await socket.emitWithAck("join_war_room", { teamId: team.id });
    const delays: number[] = [];
    for (let n = 0; n < runs; n++) {
      const startedAt = performance.now();
      const received = new Promise((resolve) => socket.once("NEW_SWARM_MESSAGE", resolve));
      await Promise.all([
        post(`/api/agent-teams/${team.id}/run`, { objective: "Go" }),
        received.then(() => delays.push(performance.now() - startedAt)),
      ]);
    }
    socket.disconnect();
    return { p50Ms: quantile(delays, 0.5), p95Ms: quantile(delays, 0.95) };
  } finally {
    await service.end("SIGKILL");
  }
}
