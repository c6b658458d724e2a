const DAY_MS = 24 * 3600_000;
const MINUTE_MS = 60_000;

/** Converts between moments and the clock on the wall of a time zone. A wall-clock time is written as if it were UTC. */
export interface WallClock {
  at(moment: number): number;
  /** The first moment that shows this time; for a time that the clock skips, the moment at which it skips it. */
  firstMomentOf(wallTime: number): number;
}

export function createWallClock(timezone: string): WallClock {
  const format = new Intl.DateTimeFormat("en", { timeZone: timezone, timeZoneName: "longOffset" });

  function offsetAt(moment: number): number {
    // "GMT", "GMT+02:00" or, for dates long ago, "GMT+00:53:28".
    const name = format.formatToParts(moment).find(({ type }) => type === "timeZoneName")?.value ?? "";
    const [, sign, hours, minutes, seconds = "0"] = /([+-])(\d+):(\d+)(?::(\d+))?/.exec(name) ?? [];
    if (sign === undefined) return 0;
    const offset = (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)) * 1000;
    return sign === "-" ? -offset : offset;
  }

  /** The first moment with the offset `after`, at most a gap's length after `from`. */
  function findChange(from: number, to: number, after: number): number {
    let [low, high] = [Math.floor(from / MINUTE_MS), Math.ceil(to / MINUTE_MS)];
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      if (offsetAt(middle * MINUTE_MS) === after) high = middle;
      else low = middle + 1;
    }
    return low * MINUTE_MS;
  }

  return {
    at: (moment) => moment + offsetAt(moment),
    firstMomentOf(wallTime) {
      // Offsets stay within 14 hours of UTC and no zone changes its offset twice in two days.
      const before = offsetAt(wallTime - DAY_MS);
      const after = offsetAt(wallTime + DAY_MS);
      if (offsetAt(wallTime - before) === before) return wallTime - before;
      if (offsetAt(wallTime - after) === after) return wallTime - after;
      return findChange(wallTime - after, wallTime - before, after);
    },
  };
}
