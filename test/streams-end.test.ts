import { io } from "socket.io-client";
import { expect, onTestFinished, test } from "vitest";
import { useProcessGroup } from "./processes/several.ts";
import { connectApp, postForm } from "./support/oauth.ts";
import { registerUser, type RegisteredUser, useTestApp } from "./support/test-app.ts";
import { createTeamWorkspace, inWorkspace } from "./support/workspaces.ts";

const SETTINGS = { TEAM_JOIN_WAIT_MS: "0" };
/** A run of it never ends by itself, so that the streams that follow it stay open. */
const STEPS = [{ stepId: "wait", type: "delay", seconds: 3600 }];
const JSON_RPC = { "content-type": "application/json", accept: "application/json, text/event-stream" };
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

interface Stream {
  isOpen(): boolean;
  ended: Promise<void>;
}

/** Opens the streams of one person, who works in `workspaceId`, at one process. */
function streamsOf(address: string, owner: RegisteredUser, workspaceId = owner.user.id) {
  const user = inWorkspace(owner, workspaceId);

  async function open(path: string, headers: Record<string, string>, body?: object): Promise<Stream> {
    const stop = new AbortController();
    onTestFinished(() => stop.abort());
    const response = await fetch(`${address}${path}`, {
      headers: {
        ...headers,
        "x-workspace": workspaceId,
        ...(body && { "content-type": "application/json" }),
      },
      signal: stop.signal,
      ...(body && { method: "POST", body: JSON.stringify(body) }),
    });
    expect([path, response.status]).toEqual([path, 200]);
    expect(response.headers.get("content-type")).toContain("text/event-stream");
    const reader = response.body!.getReader();
    await reader.read();
    let isOpen = true;
    const readAll = async (): Promise<void> => {
      while (!(await reader.read()).done);
    };
    const ended = readAll()
      .catch(() => undefined)
      .then(() => void (isOpen = false));
    return { isOpen: () => isOpen, ended };
  }

  async function createWorkflow(): Promise<string> {
    const { body } = await user.post("/api/workflows", { name: "Wait", metadata: { steps: STEPS } });
    return body.workflow.id;
  }

  async function exposed(channel: "mcp" | "chat" | "a2a"): Promise<{ id: string; name: string }> {
    const id = await createWorkflow();
    const name = `wait-${id.slice(-8).toLowerCase()}`;
    const { status } = await user.put(`/api/exposures/workflow/${id}`, { [channel]: true, name });
    expect(status).toBe(200);
    return { id, name };
  }

  return {
    async createKey(serviceAccountId?: string): Promise<{ id: string; rawKey: string }> {
      const scopes = ["runs:read", "mcp", "chat", "a2a"];
      const { body } = await user.post("/api/keys", {
        scopes,
        ...(serviceAccountId && { serviceAccountId }),
      });
      return { id: body.apiKey.id, rawKey: body.rawKey };
    },

    async task(token: string): Promise<Stream> {
      const { taskId } = (await user.post(`/api/workflows/${await createWorkflow()}/run`, {})).body;
      return open(`/api/tasks/${taskId}/events`, bearer(token));
    },

    async chatCompletion(token: string): Promise<Stream> {
      const { name } = await exposed("chat");
      const messages = [{ role: "user", content: "Hi" }];
      return open("/v1/chat/completions", bearer(token), { model: name, messages, stream: true });
    },

    async mcp(token: string): Promise<Stream> {
      const { name } = await exposed("mcp");
      const params = { name, arguments: {}, _meta: { progressToken: "p" } };
      const call = { jsonrpc: "2.0", id: 1, method: "tools/call", params };
      return open("/mcp", { ...bearer(token), ...JSON_RPC }, call);
    },

    async a2aWorkflow(token: string): Promise<Stream> {
      const { id } = await exposed("a2a");
      return open(`/a2a/${id}/message:stream`, { ...bearer(token), "a2a-version": "1.0" }, sendMessage());
    },

    async a2aTeam(): Promise<Stream> {
      const team = { name: "Desk", externalAgents: [{ name: "scout" }, { name: "other" }] };
      const { id, a2aSecret } = (await user.post("/api/agent-teams", team)).body.team;
      const headers = { "x-a2a-secret": a2aSecret, "x-a2a-agent": "scout", "a2a-version": "1.0" };
      return open(`/a2a/${id}/message:stream`, headers, sendMessage());
    },

    async chatWithLogin(token: string): Promise<Stream> {
      const workflowId = await createWorkflow();
      const slug = `help-${workflowId.slice(-8).toLowerCase()}`;
      const settings = { slug, access: "login" };
      const created = await user.post("/api/triggers", { kind: "chat", workflowId, settings });
      expect([created.status, created.body.message]).toEqual([201, undefined]);
      const message = { conversationId: "c".repeat(32), messageId: "m", message: "Hi" };
      return open(`/api/chats/${slug}/messages`, bearer(token), message);
    },

    async socket(token: string): Promise<Stream> {
      const auth = { token, workspace: workspaceId };
      const socket = io(address, { auth, transports: ["websocket"], reconnection: false });
      onTestFinished(() => void socket.close());
      await new Promise<void>((resolve, reject) => socket.on("connect", resolve).on("connect_error", reject));
      const ended = new Promise<void>((resolve) => socket.on("disconnect", () => resolve()));
      return { isOpen: () => socket.connected, ended };
    },
  };
}

let sent = 0;
const sendMessage = () => ({
  message: { messageId: `m${++sent}`, role: "ROLE_USER", parts: [{ text: "Begin" }] },
});

type Streams = ReturnType<typeof streamsOf>;

/** One of each kind that a login opens. */
const byLogin = (streams: Streams, token: string): Promise<Stream[]> =>
  Promise.all([streams.task(token), streams.chatWithLogin(token), streams.socket(token)]);

/** One of each kind that an API key opens. */
const byKey = (streams: Streams, rawKey: string): Promise<Stream[]> =>
  Promise.all([
    streams.task(rawKey),
    streams.chatCompletion(rawKey),
    streams.mcp(rawKey),
    streams.a2aWorkflow(rawKey),
  ]);

const allOpen = (streams: readonly Stream[]) => streams.every(({ isOpen }) => isOpen());
const allEnded = (streams: readonly Stream[]) => Promise.all(streams.map(({ ended }) => ended));

async function setUp() {
  const app = await useTestApp(SETTINGS);
  const address = await app.listen();
  const [ada, ben] = [await registerUser(app, "ada"), await registerUser(app, "ben")];
  return { app, address, ada, ben };
}

test.for(["one process", "another process"])(
  "[S22] disabling an account ends its streams of every kind, in %s, and no others",
  async (where) => {
    const group = where === "one process" ? undefined : await useProcessGroup(SETTINGS);
    const here = await (group?.join("all") ?? useTestApp(SETTINGS));
    const there = group === undefined ? here : await group.join("api");
    const [ada, ben] = [await registerUser(here, "ada"), await registerUser(here, "ben")];
    const address = await there.listen();
    const [ofAda, ofBen] = [streamsOf(address, ada), streamsOf(address, ben)];
    const { rawKey } = await ofBen.createKey();
    const { serviceAccount } = (await ben.post("/api/service-accounts", { name: "Bot", role: "operator" }))
      .body;
    const bot = await ofBen.createKey(serviceAccount.id);
    const team = await createTeamWorkspace(ada, [
      [ben, "operator"],
      [await registerUser(here, "cy"), "viewer"],
    ]);
    const inTeam = await streamsOf(address, ada, team).task(ben.token);
    const { tokens } = await connectApp(ben);
    const theirs = [
      ...(await byLogin(ofBen, ben.token)),
      ...(await byKey(ofBen, rawKey)),
      await ofBen.mcp(bot.rawKey),
      await ofBen.mcp(tokens.access_token),
      await ofBen.a2aTeam(),
      inTeam,
    ];
    const mine = [
      ...(await byLogin(ofAda, ada.token)),
      ...(await byKey(ofAda, (await ofAda.createKey()).rawKey)),
      await ofAda.a2aTeam(),
    ];
    expect(allOpen(theirs)).toBe(true);
    await ada.patch(`/api/admin/users/${ben.user.id}`, { disabled: true });
    await allEnded(theirs);
    expect(allOpen(mine)).toBe(true);
  },
);

test("[S22] deleting an account ends its streams of every kind", async () => {
  const { address, ada, ben } = await setUp();
  const streams = streamsOf(address, ben);
  const { rawKey } = await streams.createKey();
  const open = [
    ...(await byLogin(streams, ben.token)),
    ...(await byKey(streams, rawKey)),
    await streams.a2aTeam(),
  ];
  expect(allOpen(open)).toBe(true);
  await ada.delete(`/api/admin/users/${ben.user.id}?deleteRecords=true`);
  await allEnded(open);
});

test.for(["one process", "another process"])(
  "[S22] revoking an API key ends the streams that it opened, in %s, and no others",
  async (where) => {
    const group = where === "one process" ? undefined : await useProcessGroup(SETTINGS);
    const here = await (group?.join("all") ?? useTestApp(SETTINGS));
    const there = group === undefined ? here : await group.join("api");
    const ada = await registerUser(here, "ada");
    const streams = streamsOf(await there.listen(), ada);
    const [first, second] = [await streams.createKey(), await streams.createKey()];
    const [ended, kept] = [await byKey(streams, first.rawKey), await byKey(streams, second.rawKey)];
    await ada.delete(`/api/keys/${first.id}`);
    await allEnded(ended);
    expect(allOpen(kept)).toBe(true);
  },
);

test("[S22] a member who is removed loses every stream in the workspace, and keeps the personal ones", async () => {
  const { address, ada, ben } = await setUp();
  const team = await createTeamWorkspace(ada, [[ben, "admin"]]);
  const streams = streamsOf(address, ben, team);
  const { tokens } = await connectApp(ben, { workspaceId: team });
  const own = streamsOf(address, ben);
  const [login, personal] = [await byLogin(streams, ben.token), await byLogin(own, ben.token)];
  const [chat] = login.splice(1, 1);
  const { rawKey } = await streams.createKey();
  const theirs = [...login, ...(await byKey(streams, rawKey)), await streams.mcp(tokens.access_token)];
  const kept = [chat!, ...personal, ...(await byKey(own, (await own.createKey()).rawKey))];
  await ada.delete(`/api/workspaces/${team}/members/${ben.user.id}`);
  await allEnded(theirs);
  // A chat behind a login is open to every account.
  expect(allOpen(kept)).toBe(true);
});

test("[S22] the end of a session ends its streams, and no others", async () => {
  const { app, address, ben } = await setUp();
  const { email, password } = ben;
  const other = (await app.anonymous.post("/api/auth/login", { email, password })).body.token;
  const streams = streamsOf(address, ben);
  const [mine, theirs] = [await byLogin(streams, ben.token), await byLogin(streams, other)];
  const { sessions } = (await ben.get("/api/auth/sessions")).body;
  const { id } = sessions.find(({ current }: { current: boolean }) => !current);
  await ben.delete(`/api/auth/sessions/${id}`);
  await allEnded(theirs);
  expect(allOpen(mine)).toBe(true);
});

test("[S22] an app that is disconnected or revokes its token loses its streams", async () => {
  const { app, address, ben } = await setUp();
  const streams = streamsOf(address, ben);
  const [first, second] = [await connectApp(ben), await connectApp(ben)];
  const [ofFirst, ofSecond] = [
    await streams.mcp(first.tokens.access_token),
    await streams.mcp(second.tokens.access_token),
  ];
  const { apps } = (await ben.get("/api/connected-apps")).body;
  await ben.delete(`/api/connected-apps/${apps[1].id}`);
  await ofFirst.ended;
  expect(ofSecond.isOpen()).toBe(true);
  await postForm(app.anonymous, "/oauth/revoke", { token: second.tokens.refresh_token }, second.basic);
  await ofSecond.ended;
});
