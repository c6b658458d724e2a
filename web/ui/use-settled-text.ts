import { useEffect, useState } from "react";

const PAUSE_MS = 300;

/** The text of a field whose value changes once typing pauses: a filter would load its list for every letter. */
export function useSettledText(
  value: string,
  onChange: (value: string) => void,
): [text: string, set: (text: string) => void] {
  const [text, setText] = useState(value);
  useEffect(() => setText(value), [value]);
  useEffect(() => {
    if (text === value) return;
    const timer = setTimeout(() => onChange(text), PAUSE_MS);
    return () => clearTimeout(timer);
    // A new `onChange` of each render must not restart the wait.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [text, value]);
  return [text, setText];
}
