import { useState } from "react";
import { localValues } from "../api/browser-storage.ts";

/** State that this browser keeps. */
export function useStoredState<Value>(key: string, initial: Value): [Value, (next: Value) => void] {
  const [value, setValue] = useState<Value>(
    () => (localValues.readJson(key) as Value | undefined) ?? initial,
  );
  return [
    value,
    (next) => {
      setValue(next);
      localValues.save(key, JSON.stringify(next));
    },
  ];
}
