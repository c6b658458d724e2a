import { createWriteStream } from "node:fs";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createAuditStore } from "../../audit/audit-event.sql.ts";
import { createAuditEvents } from "../../audit/audit-events.ts";
import { INSTANCE_CHAIN } from "../../audit/chain.ts";
import { AppError } from "../../lib/errors.ts";
import type { Db } from "../../storage/db.ts";
import { usage } from "../command.ts";
import type { AdminContext } from "./admin-context.ts";
import { openInstance } from "./open-instance.ts";

export const AUDIT_USAGE = "audit verify | audit export <file>";

/** `npm run admin -- audit …` */
export async function audit({ config, args, log }: AdminContext): Promise<void> {
  const [what, file, ...rest] = args;
  const isExport = what === "export" && file !== undefined;
  if ((!isExport && (what !== "verify" || file !== undefined)) || rest.length > 0)
    throw usage("admin", AUDIT_USAGE);
  const { db, close } = await openInstance(config, log);
  try {
    await (isExport ? exportTo(db, file, log) : verify(db, log));
  } finally {
    await close();
  }
}

async function verify(db: Db, log: AdminContext["log"]): Promise<void> {
  const store = createAuditStore(db);
  const events = createAuditEvents(store);
  let broken = 0;
  for (const chain of await store.listChains()) {
    const { events: count, lastSequence, lastHash, problem } = await events.verify(chain);
    if (problem !== null) broken += 1;
    log(
      problem === null
        ? `${nameOf(chain)}: ${count} events, unbroken. Event ${lastSequence} is the last one: ${lastHash}`
        : `${nameOf(chain)}: event ${problem.sequence} is broken. ${problem.message}`,
    );
  }
  if (broken > 0) throw new AppError("audit_log_broken", `Audit logs with a broken event: ${broken}.`);
  log("every audit log is unbroken.");
}

async function exportTo(db: Db, file: string, log: AdminContext["log"]): Promise<void> {
  const store = createAuditStore(db);
  const events = createAuditEvents(store);
  const chains = await store.listChains();
  async function* lines(): AsyncGenerator<string> {
    for (const chain of chains)
      for await (const page of events.lines(chain, {}, "ndjson"))
        yield page.replaceAll(/^\{/gm, `{"chain":${JSON.stringify(chain)},`);
  }
  // Never replaces an earlier export.
  await pipeline(Readable.from(lines()), createWriteStream(file, { flags: "wx", mode: 0o600 }));
  log(`${chains.length} audit logs exported to ${file}`);
}

function nameOf(chain: string): string {
  return chain === INSTANCE_CHAIN ? "the instance" : `workspace ${chain}`;
}
