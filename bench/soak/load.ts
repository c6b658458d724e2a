import { io, type Socket } from "socket.io-client";
import { lines, pdfOf } from "../../test/support/pdf.ts";
import { type ServiceClient, signIn } from "../service-client.ts";

type Json = Record<string, any>;

export interface SoakLoad {
  /** Completed actions by name. */
  counts: Map<string, number>;
  failures: string[];
  stop(): Promise<void>;
}

interface Fixture {
  address: string;
  client: ServiceClient;
  sync: string;
  async: string;
  loop: string;
  approval: string;
  calls: string;
  hook: { source: string; secret: string };
  teamId: string;
  sessionId: string;
  sockets: Socket[];
}

/** Performs a mix of user actions at a fixed rate. */
export async function startSoakLoad(address: string, echo: string, perSecond: number): Promise<SoakLoad> {
  const fixture = await createFixture(address, echo);
  const counts = new Map<string, number>();
  const failures: string[] = [];
  const pending = new Set<Promise<void>>();
  const kinds = Object.entries(actions).flatMap(([name, { weight }]) => Array<string>(weight).fill(name));
  let turn = 0;
  const timer = setInterval(() => {
    // Skips a tick while the service is behind: the load simulates users, it is not a stress test.
    if (pending.size > perSecond * 4) return;
    const name = kinds[turn++ % kinds.length]!;
    const done = actions[name]!.run(fixture, turn)
      .then(() => void counts.set(name, (counts.get(name) ?? 0) + 1))
      .catch((error: unknown) => void failures.push(`${name}: ${String(error)}`))
      .finally(() => pending.delete(done));
    pending.add(done);
  }, 1000 / perSecond);
  return {
    counts,
    failures,
    async stop() {
      clearInterval(timer);
      await Promise.all(pending);
      for (const socket of fixture.sockets) socket.disconnect();
    },
  };
}

const actions: Record<string, { weight: number; run(fixture: Fixture, n: number): Promise<void> }> = {
  "synchronous call": { weight: 8, run: (it, n) => callPublic(it, it.sync, n) },
  "three http steps": { weight: 3, run: (it, n) => callPublic(it, it.calls, n) },
  "asynchronous call": { weight: 8, run: (it, n) => callPublic(it, it.async, n) },
  "foreach of fifty": { weight: 2, run: (it, n) => callPublic(it, it.loop, n) },
  webhook: {
    weight: 6,
    async run({ address, hook }, n) {
      await send(`${address}/webhook/${hook.source}`, { n }, { "x-webhook-secret": hook.secret });
    },
  },
  approval: {
    weight: 2,
    async run({ client, approval }) {
      const { taskId } = await client.post(`/api/workflows/${approval}/run?wait=true`, {});
      await client.post(`/api/tasks/${taskId}/resume`, {});
    },
  },
  list: {
    weight: 3,
    async run({ client }) {
      const { nextCursor } = await client.get("/api/tasks?limit=50");
      if (nextCursor !== null)
        await client.get(`/api/tasks?limit=50&cursor=${encodeURIComponent(nextCursor)}`);
    },
  },
  "event stream": {
    weight: 2,
    async run({ address, client, async }) {
      const { taskId } = await client.post(`/api/workflows/${async}/run`, {});
      const response = await fetch(`${address}/api/tasks/${taskId}/events`, { headers: client.login });
      // The stream ends with its task.
      await response.text();
    },
  },
  "message in a room": {
    weight: 2,
    async run({ client, sessionId }, n) {
      await client.post(`/api/agent-teams/sessions/${sessionId}/messages`, { content: `message ${n}` });
    },
  },
  "join of a room": {
    weight: 1,
    async run({ address, client, teamId }) {
      const socket = await connect(address, client);
      await socket.emitWithAck("join_war_room", { teamId });
      socket.disconnect();
    },
  },
  "question to a document": {
    weight: 1,
    async run({ client }) {
      const { sources } = await client.post("/api/v1/documents/query", { query: "How does the safe open?" });
      if ((sources as unknown[]).length === 0) throw new Error("no sources");
    },
  },
  "workflow saved": {
    weight: 1,
    async run({ client }, n) {
      const { workflow } = await client.post("/api/workflows", { name: `Saved ${n}`, metadata: values(3) });
      await client.get(`/api/workflows/${workflow.id}/versions`);
    },
  },
};

async function callPublic({ address, client }: Fixture, workflowId: string, n: number): Promise<void> {
  await send(`${address}/api/workflows/public/${workflowId}`, { input: { n } }, client.apiKey);
}

async function send(url: string, body: unknown, headers: Record<string, string>): Promise<Json> {
  const response = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  });
  const result = (await response.json()) as Json;
  if (!response.ok) throw new Error(`${response.status} ${JSON.stringify(result).slice(0, 200)}`);
  return result;
}

const step = (stepId: string, more: object): object => ({ stepId, ...more });
const values = (count: number): { steps: object[] } => ({
  steps: Array.from({ length: count }, (_, i) =>
    step(`s${i}`, { type: "transform", template: "{{input.n}}" }),
  ),
});

async function createFixture(address: string, echo: string): Promise<Fixture> {
  const client = await signIn(address);
  const call = (id: string): object =>
    step(id, { type: "http", method: "POST", url: echo, body: { n: "{{input.n}}" } });
  const body = { steps: [step("x", { type: "transform", template: "{{item}}" })] };
  const items = Array.from({ length: 50 }, (_, i) => i);
  const asyncId = await client.publish("Asynchronous", values(3), false);
  const hook = await client.post("/api/webhooks", { name: "Hook", source: "soak", workflowId: asyncId });
  const { team } = await client.post("/api/agent-teams", {
    name: "Room",
    externalAgents: [{ name: "outsider", capabilities: [] }],
  });
  const { sessionId } = await client.post(`/api/agent-teams/${team.id}/run`, { objective: "Talk" });
  await uploadManual(address, client);
  const sockets = await Promise.all(Array.from({ length: 10 }, () => connect(address, client)));
  for (const socket of sockets) await socket.emitWithAck("join_war_room", { teamId: team.id });
  return {
    address,
    client,
    sync: await client.publish("Synchronous", values(3), true),
    async: asyncId,
    loop: await client.publish("Loop", { steps: [step("each", { type: "foreach", items, ...body })] }, true),
    calls: await client.publish("Calls", { steps: [call("a"), call("b"), call("c")] }, true),
    approval: await client.publish(
      "Approval",
      { steps: [step("ask", { type: "approval", message: "?" })] },
      true,
    ),
    hook: { source: "soak", secret: hook["webhook"].secret as string },
    teamId: team.id as string,
    sessionId: sessionId as string,
    sockets,
  };
}

async function uploadManual(address: string, client: ServiceClient): Promise<void> {
  const form = new FormData();
  const pdf = await pdfOf([
    lines(["The safe opens with the number 4711.", "It closes by itself after a minute."]),
  ]);
  form.append("file", new Blob([Buffer.from(pdf)]), "manual.pdf");
  const response = await fetch(`${address}/api/v1/documents/upload`, {
    method: "POST",
    headers: client.login,
    body: form,
  });
  if (!response.ok) throw new Error(`the upload failed with ${response.status}: ${await response.text()}`);
}

async function connect(address: string, client: ServiceClient): Promise<Socket> {
  const token = client.login["authorization"]?.slice("Bearer ".length);
  const socket = io(address, {
    auth: { token },
    transports: ["websocket"],
    forceNew: true,
    reconnection: false,
  });
  await new Promise<void>((resolve, reject) => {
    socket.once("connect", resolve);
    socket.once("connect_error", reject);
  });
  return socket;
}
