import { useCallback, useState } from "react";
import type { Renames } from "../../../flow/known-results.ts";

/** The names that steps had in the runs before they were renamed here, so that their results stay visible. */
export function useRenames() {
  const [renames, setRenames] = useState<Renames>(new Map());
  const rename = useCallback(
    (from: string, to: string) => setRenames((before) => new Map(before).set(to, before.get(from) ?? from)),
    [],
  );
  return { renames, rename };
}
