import { parseArgs } from "node:util";
import type { Attack } from "./attack.ts";
import { startAttackServer } from "./attack-server.ts";
import { type AttackFigures, measureAttack } from "./measure-attack.ts";
import { patternAttacks } from "./patterns.ts";
import { anonymousAttacks, schedulingAttacks } from "./scheduling.ts";
import { sizeAttacks } from "./sizes.ts";

const ATTACKS: Attack[] = [...schedulingAttacks, ...patternAttacks, ...anonymousAttacks, ...sizeAttacks];

const MAX_HEALTH_MS = 250;
const MAX_PEAK_MB = 600;

/**
 * `npm run bench:fairness [-- --seconds 10 --only <text>]`: what one account, or none, does to the calls of another user.
 * The other user's p95 must stay under three times its value alone plus 250 ms.
 */
export async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { seconds: { type: "string", default: "10" }, only: { type: "string", default: "" } },
  });
  const server = await startAttackServer();
  console.log("| Attack | other user's p95 alone | during | slowest `/health` | peak memory | ends as | |");
  console.log("|---|---|---|---|---|---|---|");
  try {
    for (const attack of ATTACKS.filter(({ name }) => name.includes(values.only))) {
      const figures = await measureAttack(attack, server.url, Number(values.seconds));
      const isWithin = withinBars(figures);
      if (!isWithin) process.exitCode = 1;
      const { aloneMs, attackedMs, healthMs, peakMb } = figures;
      const times = [aloneMs, attackedMs, healthMs].map((ms) => `${ms.toFixed(0)} ms`).join(" | ");
      const end = `${figures.outcome} | ${isWithin ? "held" : "**exceeded**"}`;
      console.log(`| ${attack.name} | ${times} | ${peakMb.toFixed(0)} MB | ${end} |`);
    }
  } finally {
    server.close();
  }
}

function withinBars({ aloneMs, attackedMs, healthMs, peakMb }: AttackFigures): boolean {
  return attackedMs < 3 * aloneMs + 250 && healthMs < MAX_HEALTH_MS && peakMb < MAX_PEAK_MB;
}
