import type { Task, TaskPushNotificationConfig } from "@a2a-js/sdk";
import type { Clock } from "../lib/clock.ts";
import { createId } from "../lib/ids.ts";
import type { Receiver } from "../outbox/attempt.ts";
import { pushConfigContext } from "../security/seal-contexts.ts";
import type { SecretBox } from "../security/secret-box.ts";
import type { PushConfigRecord, PushConfigStore } from "./push-config.sql.ts";
import type { Sdk } from "./sdk.ts";

export interface PushConfigsDeps {
  store: PushConfigStore;
  box: SecretBox;
  clock: Clock;
  /** False when the agent is gone, or the caller may no longer call it. */
  isActive(config: PushConfigRecord): Promise<boolean>;
  /** A webhook was registered. */
  wake(): void;
}

export interface PushCaller {
  ownerId: string;
  agentId: string;
  caller: string;
}

interface PushSecrets {
  token: string;
  authorization: string;
}

/** Per task. Each costs a read of the task and a message for every change. */
const MAX_CONFIGS = 10;
const MAX_TEXT = 2000;
/** What may be in a header. */
const PRINTABLE = /^[\x20-\x7e]*$/;

export type PushConfigs = ReturnType<typeof createPushConfigs>;

/** The webhooks of tasks. Tokens and credentials are stored encrypted and never returned. */
export function createPushConfigs({ store, box, clock, isActive, wake }: PushConfigsDeps) {
  async function save(
    { errors }: Sdk,
    caller: PushCaller,
    task: Task,
    given: TaskPushNotificationConfig,
    protocol: string,
  ): Promise<TaskPushNotificationConfig> {
    const malformed = (text: string): Error => new errors.RequestMalformedError(text);
    const { url, token, authentication } = given;
    if (!isHttpUrl(url)) throw malformed("url must be an http or https URL");
    const authorization =
      authentication === undefined || authentication.scheme === ""
        ? ""
        : `${authentication.scheme} ${authentication.credentials}`.trim();
    for (const [name, text] of Object.entries({ token, authentication: authorization, id: given.id }))
      if (text.length > MAX_TEXT || !PRINTABLE.test(text)) throw malformed(`${name} is not valid`);
    const now = clock.now();
    const id = createId("push", now);
    const configId = given.id === "" ? id : given.id;
    const existing = await store.list(task.id);
    if (existing.length >= MAX_CONFIGS && !existing.some((other) => other.configId === configId))
      throw malformed(`a task can have ${MAX_CONFIGS} webhooks; delete one first`);
    const secrets: PushSecrets = { token, authorization };
    const record: PushConfigRecord = {
      id,
      ...caller,
      taskId: task.id,
      contextId: task.contextId,
      configId,
      url,
      sealed: box.seal(JSON.stringify(secrets), pushConfigContext({ ownerId: caller.ownerId, id })),
      protocol,
      reported: null,
      dueAt: now,
      createdAt: now,
    };
    await store.save(record);
    wake();
    return toConfig(record);
  }

  return {
    save,
    list: async (taskId: string) => (await store.list(taskId)).map(toConfig),
    async find(taskId: string, configId: string): Promise<TaskPushNotificationConfig | undefined> {
      const found = (await store.list(taskId)).find((config) => config.configId === configId);
      return found && toConfig(found);
    },
    remove: store.remove,

    /** How a message is sent: signed with the token, and with the credentials that the caller gave. */
    async receiver(id: string, ownerId: string): Promise<Receiver | undefined> {
      const config = await store.find(id, ownerId);
      if (config === undefined || !(await isActive(config))) return undefined;
      const { token, authorization } = JSON.parse(
        box.open(config.sealed, pushConfigContext({ ownerId, id })),
      ) as PushSecrets;
      return {
        url: config.url,
        secrets: token === "" ? [] : [`whsec_${Buffer.from(token).toString("base64")}`],
        headers: {
          ...(token !== "" && { "x-a2a-notification-token": token }),
          ...(authorization !== "" && { authorization }),
        },
      };
    },
    disable: store.disable,
  };
}

function toConfig({ configId, taskId, url }: PushConfigRecord): TaskPushNotificationConfig {
  return { tenant: "", id: configId, taskId, url, token: "", authentication: undefined };
}

function isHttpUrl(text: string): boolean {
  return text.length <= MAX_TEXT && URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}
