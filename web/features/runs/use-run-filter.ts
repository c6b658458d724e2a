import { useMemo } from "react";
import { useSearchParams } from "wouter";
import { type FilterName, readFilter, type RunFilter } from "../../flow/run-filter.ts";

/** The filter of the list in the URL: it can be shared, and survives a reload. */
export function useRunFilter(): [filter: RunFilter, change: (next: RunFilter) => void] {
  const [search, setSearch] = useSearchParams();
  const text = search.toString();
  const filter = useMemo(() => readFilter(new URLSearchParams(text)), [text]);
  return [
    filter,
    (next) =>
      setSearch(
        (current) => {
          const params = new URLSearchParams(current);
          for (const [name, value] of Object.entries(next) as [FilterName, string | undefined][])
            if (value === undefined || value === "") params.delete(name);
            else params.set(name, value);
          return params;
        },
        { replace: true },
      ),
  ];
}
