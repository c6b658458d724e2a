import { isFinal } from "./history.ts";
import type { Random } from "./random.ts";
import { type Scenario, scenarios, subWorkflow } from "./workload.ts";

interface Target {
  scenario: Scenario;
  workflowId: string;
  webhook: { source: string; secret: string };
}

export interface Load {
  /** Every task acknowledged with a 2xx, and its expected result. */
  accepted: Map<string, { workflowId: string; output: string }>;
  /** Invalid responses. */
  faults: string[];
  /** Calls refused with 503: nothing was accepted. */
  refused(): number;
  /** Calls without a response, which were repeated. */
  unanswered(): number;
  login: Record<string, string>;
  /** Starts no new calls; resolves when those in flight have ended. */
  stop(): Promise<void>;
  /** Approves every open approval. */
  approveAll(): Promise<void>;
  /** Status and id of tasks that have not ended, up to 200 of each status. */
  unfinished(): Promise<string[]>;
  /** Slow tasks that have not ended. */
  slowTasks: ReadonlySet<string>;
}

export interface LoadOptions {
  /** The address, read before each call; undefined while nothing is up. */
  currentAddress(): string | undefined;
  outside: string;
  random: Random;
  callers?: number;
  /** Callers of the slow scenario. Each waits for its task before it calls again. */
  slowCallers?: number;
  /** A pause after each call, in milliseconds. */
  pauseMs?: number;
}

/** A suspended process does not respond: after this a client calls another one. */
const ANSWER_TIMEOUT_MS = 8000;
/** Before the first fault, only a busy machine delays a response. */
const SETUP_TIMEOUT_MS = 120_000;
const APPROVALS_AT_ONCE = 8;
const ACCOUNT = { email: "chaos@example.com", password: "as long as it takes" };
type Json = Record<string, any>;

/** Clients that call continuously: public endpoints with and without waiting, webhooks, repeated idempotent calls. */
export async function startLoad({
  currentAddress,
  outside,
  random,
  callers: callerCount = 8,
  slowCallers = 0,
  pauseMs = 0,
}: LoadOptions): Promise<Load> {
  let stopped = false;
  let refused = 0;
  let unanswered = 0;
  const accepted: Load["accepted"] = new Map();
  const faults: string[] = [];
  const slowTasks = new Set<string>();

  async function send(
    path: string,
    body: unknown,
    headers: Record<string, string> = {},
    timeoutMs = ANSWER_TIMEOUT_MS,
  ): Promise<Json> {
    const address = currentAddress();
    if (address === undefined) throw new Error("down");
    const response = await fetch(address + path, {
      method: "POST",
      signal: AbortSignal.timeout(timeoutMs),
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify(body),
    });
    return { status: response.status, body: (await response.json()) as Json };
  }

  const setUp = (path: string, body: unknown, headers: Record<string, string> = {}): Promise<Json> =>
    send(path, body, headers, SETUP_TIMEOUT_MS);
  const { body: account } = await setUp("/api/auth/register", ACCOUNT);
  const login = { authorization: `Bearer ${account["token"]}` };
  const { body: key } = await setUp("/api/keys", {}, login);
  const caller = { authorization: `Bearer ${key["rawKey"]}` };

  async function create(name: string, metadata: object, apiSettings?: object): Promise<string> {
    const { status, body } = await setUp("/api/workflows", { name, metadata, apiSettings }, login);
    if (status !== 201) throw new Error(`${name}: ${JSON.stringify(body)}`);
    return body["workflow"].id as string;
  }

  const subId = await create("sub-workflow", subWorkflow(outside));
  const targets: Target[] = [];
  for (const scenario of scenarios(outside, subId)) {
    const { name, steps, edges, sync } = scenario;
    const workflowId = await create(name, { steps, edges }, { enabled: true, sync });
    const source = `hook-${targets.length}`;
    const { body } = await setUp("/api/webhooks", { name: source, source, workflowId }, login);
    targets.push({ scenario, workflowId, webhook: { source, secret: body["webhook"].secret as string } });
  }

  let calls = 0;
  async function callOnce({ scenario, workflowId, webhook }: Target): Promise<string | undefined> {
    const n = ++calls;
    const input = { n, even: n % 2 === 0 };
    const viaWebhook = random.next() < 0.3;
    // A client without a response retries with the same key and must get the same task.
    const headers = { "idempotency-key": `call-${n}` };
    let known: string | undefined;
    for (let calls = random.next() < 0.3 ? 2 : 1; calls > 0 && !stopped;) {
      const answer = await (
        viaWebhook
          ? send(`/webhook/${webhook.source}`, input, { ...headers, "x-webhook-secret": webhook.secret })
          : send(`/api/workflows/public/${workflowId}`, { input }, { ...headers, ...caller })
      ).catch(() => undefined);
      if (answer === undefined) {
        unanswered += 1;
        await pause(20);
        continue;
      }
      calls -= 1;
      const taskId = answer["body"].taskId as string | undefined;
      if (answer["status"] !== 200 || taskId === undefined) {
        if (answer["status"] === 503) refused += 1;
        else faults.push(`call ${n}: ${answer["status"]} ${JSON.stringify(answer["body"])}`);
        continue;
      }
      if (known !== undefined && known !== taskId)
        faults.push(`call ${n}: one key made the tasks ${known} and ${taskId}`);
      known = taskId;
      const output = JSON.stringify(scenario.expected(n));
      accepted.set(taskId, { workflowId, output });
      const received = JSON.stringify((answer["body"].result as Json | undefined)?.["output"]);
      if (received !== undefined && received !== output)
        faults.push(`call ${n}: ${received} instead of ${output}`);
    }
    return known;
  }

  const [slow, quick] = [true, false].map((isSlow) =>
    targets.filter(({ scenario }) => (scenario.isSlow ?? false) === isSlow),
  ) as [Target[], Target[]];
  const callers = Array.from({ length: callerCount + slowCallers }, async (_, index) => {
    while (!stopped) {
      if (currentAddress() === undefined) await pause(10);
      else if (index < callerCount) await callOnce(random.pick(quick));
      else await ended(await callOnce(random.pick(slow)));
      if (pauseMs > 0) await pause(pauseMs);
    }
  });

  /** Resolves when the task has ended, or the load stops. */
  async function ended(taskId: string | undefined): Promise<void> {
    if (taskId === undefined) return;
    slowTasks.add(taskId);
    while (!stopped && !(await hasEnded(taskId))) await pause(200);
    slowTasks.delete(taskId);
  }

  async function hasEnded(taskId: string): Promise<boolean> {
    const response = await fetch(`${currentAddress()}/api/tasks/${taskId}`, {
      headers: login,
      signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS),
    }).catch(() => undefined);
    const body = (await response?.json().catch(() => undefined)) as Json | undefined;
    return isFinal(String(body?.["task"]?.status));
  }

  async function list(status: string): Promise<Json[]> {
    const response = await fetch(`${currentAddress()}/api/tasks?status=${status}&limit=200`, {
      headers: login,
      signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS),
    });
    return ((await response.json()) as Json)["tasks"] as Json[];
  }

  return {
    accepted,
    faults,
    refused: () => refused,
    unanswered: () => unanswered,
    login,
    slowTasks,
    async stop() {
      stopped = true;
      await Promise.all(callers);
    },
    async approveAll() {
      const open = await list("waiting_approval");
      // Several at once: on a busy machine one after the other would take longer than the time between two faults.
      const approvers = Array.from({ length: APPROVALS_AT_ONCE }, async () => {
        for (let task = open.pop(); task !== undefined; task = open.pop()) {
          const { status } = await send(`/api/tasks/${task["id"]}/resume`, {}, login);
          if (status !== 200 && status !== 409) faults.push(`approving ${task["id"]}: ${status}`);
        }
      });
      await Promise.all(approvers);
    },
    async unfinished() {
      const open = await Promise.all(["queued", "running", "waiting", "waiting_approval"].map(list));
      return open.flat().map(({ id, status }) => `${status}:${id}`);
    },
  };
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
