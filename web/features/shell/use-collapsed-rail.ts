import { useEffect, useState, useSyncExternalStore } from "react";
import { localValues } from "../../api/browser-storage.ts";

const STORAGE_KEY = "baton.rail";
const narrow = matchMedia("(max-width: 1100px)");
/** On a phone the rail is a menu, which has room for its labels. */
const phone = matchMedia("(max-width: 700px)");

function useMatch(query: MediaQueryList): boolean {
  return useSyncExternalStore(
    (listener) => {
      query.addEventListener("change", listener);
      return () => query.removeEventListener("change", listener);
    },
    () => query.matches,
  );
}

/** Whether the rail shows only icons. The user's choice is kept, except where the screen or window leaves no room. */
export function useCollapsedRail(screenNeedsWidth: boolean): [boolean, () => void] {
  const noRoom = useMatch(narrow) || screenNeedsWidth;
  const isPhone = useMatch(phone);
  const [chosen, setChosen] = useState(() => localValues.read(STORAGE_KEY) === "collapsed");
  const [expandedHere, setExpandedHere] = useState(false);
  useEffect(() => setExpandedHere(false), [noRoom]);

  function toggle(): void {
    if (noRoom) setExpandedHere(!expandedHere);
    else {
      localValues.save(STORAGE_KEY, chosen ? "expanded" : "collapsed");
      setChosen(!chosen);
    }
  }
  return [!isPhone && (noRoom ? !expandedHere : chosen), toggle];
}
