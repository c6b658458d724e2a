import type { Section } from "./section.ts";

export const schedules: Section = {
  title: "Schedules",
  promises: [
    {
      id: "18.1",
      text: "`POST /api/schedules`, `GET /api/schedules`, `GET /api/schedules/{id}`, `PATCH /api/schedules/{id}`, `DELETE /api/schedules/{id}`: a cron pattern with a time zone starts a workflow exactly once per occurrence.",
      proofs: [
        "test/schedules.test.ts › a schedule starts its workflow once at each of its times",
        "test/schedules.test.ts › invalid cron patterns and workflows of other users are rejected",
        "test/ownership.test.ts › [S13] [S15] another user's record is 403 for every verb of every route, an unknown one 404, and nothing changes",
        "test/schedules.test.ts › the schedule of a deleted workflow is paused and stays visible",
      ],
    },
    {
      id: "18.2",
      text: "Occurrences missed during downtime follow the `misfire` rule of the schedule.",
      proofs: [
        "test/schedules.test.ts › [R5] a run missed while the service was down starts at the next start",
        "server/schedules/occurrences.test.ts › [R5] after three hours of downtime the misfire policy decides: one run, none, or all of them",
      ],
    },
    {
      id: "18.3",
      text: "Two runs of a schedule are at least `SCHEDULE_MIN_INTERVAL_SECONDS` apart; a shorter interval is 400 `invalid_request`, and existing schedules keep running.",
      proofs: [
        "test/schedules.test.ts › a schedule that would run every ten seconds is refused with the setting to change",
        "server/schedules/schedules.test.ts › a pattern below the shortest interval is refused at create and update, and 0 allows it",
        "server/schedules/schedules.test.ts › a schedule from before the limit can be renamed, paused and resumed",
      ],
    },
    {
      id: "18.4",
      text: "`overlap` decides about a run that is due while the previous one has not ended: `allow` (default), `skip`, `queue` (one waits at most) or `cancel_previous`.",
      proofs: [
        "test/schedules.test.ts › overlap allow starts a second run while the first has not ended",
        "test/schedules.test.ts › overlap skip starts no run while the previous one has not ended",
        "test/schedules.test.ts › overlap cancel_previous cancels the run that has not ended and starts the next",
        "test/schedules.test.ts › overlap queue starts one run after the previous one has ended, however many were due",
        "server/schedules/overlap.test.ts › runs caught up together overlap as well: skip keeps the first, cancel_previous the last, queue two",
      ],
    },
    {
      id: "18.5",
      text: "Processes share due schedules and start them in parallel; a run is never lost or repeated when a process dies, and it is on time or missed by the time of its claim.",
      proofs: [
        "server/schedules/schedule-claims.test.ts › on PostgreSQL a process skips the schedules that another one is claiming",
        "server/schedules/schedule-loop.test.ts › due schedules start in parallel",
        "server/schedules/schedule-loop.test.ts › [R5] a punctual run is not missed because hundreds of others were started before it",
        "server/schedules/schedule-loop.test.ts › [R5] a process that dies between start and advance neither loses the run nor repeats it",
      ],
    },
    {
      id: "18.6",
      text: "`GET /api/schedules/next` previews the next times of a pattern in its time zone.",
      proofs: [
        "test/schedules.test.ts › the next five times of a pattern are previewed in its time zone, across daylight saving",
      ],
    },
  ],
};
