import { useEffect, useState } from "react";

const TICK_MS = 250;

/** The time of the service, ticking while the run is live; undefined while its clock is unknown. */
export function useServerNow(clockOffsetMs: number | undefined, isLive: boolean): number | undefined {
  const [now, setNow] = useState(Date.now);
  const ticks = isLive && clockOffsetMs !== undefined;
  useEffect(() => {
    if (!ticks) return;
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), TICK_MS);
    return () => clearInterval(timer);
  }, [ticks]);
  return ticks ? now + clockOffsetMs : undefined;
}
