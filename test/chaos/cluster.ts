import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { startTcpProxy, type TcpProxy } from "../support/tcp-proxy.ts";
import { type ChildService, startChild } from "./child-service.ts";
import type { Random } from "./random.ts";
import { STALLABLE } from "./stall.ts";

export type Role = "all" | "api" | "worker";

export interface Member {
  name: string;
  role: Role;
  dataDir: string;
  /** Its proxy to the database. */
  line: TcpProxy;
  /** Undefined while it is down. */
  service: ChildService | undefined;
  kill(): Promise<void>;
}

export interface Cluster {
  members: readonly Member[];
  /** Members that ended without being killed, with the end of their log. */
  faults: string[];
  /** Resolves when the member is ready. A member that ends is restarted. */
  join(role: Role, settings?: Record<string, string>): Promise<Member>;
  /** The address of a member that accepts calls; undefined when none is up. */
  currentAddress(): string | undefined;
  /** Resolves when all are up. */
  allReady(): Promise<void>;
  close(): Promise<void>;
}

export interface ClusterOptions {
  databaseUrl: string;
  /** Each member has its own folder in it, as on its own machine. */
  folder: string;
  settings: Record<string, string>;
  random: Random;
}

const KEYS = {
  JWT_SECRET: "the same for all that share a database",
  ENCRYPTION_KEY: "0123456789abcdef".repeat(4),
};

/** Real processes on one database, restarted when they end, as by systemd or Kubernetes. */
export function createCluster({ databaseUrl, folder, settings, random }: ClusterOptions): Cluster {
  const members: Member[] = [];
  const kept: Promise<void>[] = [];
  const faults: string[] = [];
  let closed = false;

  async function keepUp(member: Member, own: Record<string, string>, killed: WeakSet<object>): Promise<void> {
    while (!closed) {
      // Without a database server it ends with an error and is restarted.
      const service = await startChild(own, STALLABLE).catch(() => undefined);
      if (service === undefined) await pause(100);
      else if (closed) await service.end("SIGKILL");
      else {
        member.service = service;
        const code = await service.exited;
        member.service = undefined;
        if (!killed.has(service))
          faults.push(`${member.name} ended by itself with ${code}:\n${service.output().slice(-2000)}`);
      }
    }
  }

  const cluster: Cluster = {
    members,
    faults,
    async join(role, more = {}) {
      const line = await startTcpProxy(databaseUrl);
      const name = `${role} ${members.length + 1}`;
      const dataDir = join(folder, name.replace(" ", "-"));
      mkdirSync(dataDir, { recursive: true });
      const killed = new WeakSet<object>();
      const member: Member = {
        name,
        role,
        dataDir,
        line,
        service: undefined,
        async kill() {
          const { service } = member;
          if (service === undefined) return;
          killed.add(service);
          member.service = undefined;
          await service.end("SIGKILL");
        },
      };
      members.push(member);
      const url = new URL(line.url);
      // Shows in the history which member changed a row.
      url.searchParams.set("application_name", name);
      const own = { ...KEYS, DATABASE_URL: url.href, DATA_DIR: dataDir, ROLE: role, ...settings, ...more };
      kept.push(keepUp(member, own, killed));
      while (member.service === undefined) await pause(20);
      return member;
    },
    currentAddress() {
      const open = members.filter(({ role, service }) => role !== "worker" && service !== undefined);
      return open.length === 0 ? undefined : random.pick(open).service?.address;
    },
    async allReady() {
      while (members.some(({ service }) => service === undefined)) await pause(50);
    },
    async close() {
      closed = true;
      for (const { line } of members) line.restore();
      await Promise.all(members.map((member) => member.kill()));
      await Promise.all(kept);
      await Promise.all(members.map(({ line }) => line.close()));
    },
  };
  return cluster;
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
