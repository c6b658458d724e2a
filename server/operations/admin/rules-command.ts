import { randomUUID } from "node:crypto";
import { parseArgs } from "node:util";
import { type SetWorkspaceRules, setWorkspaceRulesSchema } from "../../../contract/administration.ts";
import { createWorkspaceRules, RULES_CHANNEL } from "../../administration/workspace-rules.ts";
import { createWorkspaceRuleStore } from "../../administration/workspace-rules.sql.ts";
import { workspaceIdOf } from "../../storage/engine/cancel-tasks.ts";
import { usage } from "../command.ts";
import type { AdminContext } from "./admin-context.ts";
import { openInstance } from "./open-instance.ts";

export const RULES_USAGE =
  "rules <workspace, email or id> [--limit <name>=<value>|default]… [--retention-days <days>|default] [--json]";

/** The value of the instance holds again. */
const DEFAULT = "default";

type Limits = NonNullable<SetWorkspaceRules["limits"]>;

/** True without anything to set. */
export function isRulesRead(args: readonly string[]): boolean {
  return !args.some((arg) => arg.startsWith("--limit") || arg.startsWith("--retention-days"));
}

/** `npm run admin -- rules …`: limits and retention of one workspace. */
export async function rules({ config, args, log, print }: AdminContext): Promise<void> {
  const { values, positionals } = parseArgs({
    args: [...args],
    options: {
      limit: { type: "string", multiple: true },
      "retention-days": { type: "string" },
      json: { type: "boolean" },
    },
    allowPositionals: true,
  });
  const [workspace, ...rest] = positionals;
  if (workspace === undefined || rest.length > 0) throw usage("admin", RULES_USAGE);
  const { db, close } = await openInstance(config, log);
  try {
    const id = await workspaceIdOf(db, workspace);
    const workspaceRules = createWorkspaceRules(createWorkspaceRuleStore(db), () =>
      // Every message is unique: the database drops a repeated one.
      Promise.resolve(db.notify(RULES_CHANNEL, randomUUID())),
    );
    const old = await workspaceRules.get(id);
    const days = values["retention-days"];
    const change = setWorkspaceRulesSchema.safeParse({
      limits: changedLimits(old.limits, values.limit ?? []),
      ...(days !== undefined && { retentionDays: days === DEFAULT ? null : numberOf(days) }),
    });
    if (!change.success) throw usage("admin", RULES_USAGE);
    const now = isRulesRead(args) ? old : await workspaceRules.change(id, change.data);
    if (values.json === true) return print(JSON.stringify({ workspaceId: id, ...now }, null, 2));
    for (const { name, value } of now.limits) log(`${name}: ${value === 0 ? "no limit" : value}`);
    if (now.limits.length === 0) log("Limits: as the instance");
    log(`Retention: ${retentionText(now.retentionDays)}`);
  } finally {
    await close();
  }
}

/** The limits of the workspace after `name=value` settings; the others stay. */
function changedLimits(old: Limits, settings: readonly string[]): { name: string; value: number }[] {
  const limits = new Map<string, number>(old.map(({ name, value }) => [name, value]));
  for (const setting of settings) {
    const [name = "", value = ""] = setting.split("=");
    if (value === DEFAULT) limits.delete(name);
    else limits.set(name, numberOf(value));
  }
  return [...limits].map(([name, value]) => ({ name, value }));
}

/** NaN, which the schema refuses, for anything but a whole number. */
function numberOf(text: string): number {
  return /^\d+$/.test(text) ? Number(text) : Number.NaN;
}

function retentionText(days: number | null): string {
  if (days === null) return "as the instance";
  return days === 0 ? "for ever" : `${days} days`;
}
