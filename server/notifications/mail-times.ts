/** Mails to one member of one workspace: what comes meanwhile is in the next one. */
export const MAIL_SPACING_MS = 5 * 60_000;

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** UTC. */
const DIGEST_HOUR_MS = 8 * HOUR_MS;

/** The parameters of `mailDueAt`. */
export function mailTimes(now: number): { now: number; nextHour: number; nextDay: number } {
  const day = now - ((now - DIGEST_HOUR_MS) % DAY_MS) + DAY_MS;
  return { now, nextHour: now - (now % HOUR_MS) + HOUR_MS, nextDay: day };
}

/** SQL: when the next mail to the member `p` is due. */
export function mailDueAt(p: string): string {
  return `case ${p}.mail_frequency when 'hourly' then cast($nextHour as bigint) when 'daily' then cast($nextDay as bigint)
    else case when ${p}.last_mail_at + ${MAIL_SPACING_MS} > cast($now as bigint)
      then ${p}.last_mail_at + ${MAIL_SPACING_MS} else cast($now as bigint) end end`;
}
