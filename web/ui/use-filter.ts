import { useSearchParams } from "wouter";

/** A filter in the URL: a filtered list can be shared, and survives a reload. */
export function useFilter(name: string): [value: string, set: (value: string) => void] {
  const [search, setSearch] = useSearchParams();
  return [
    search.get(name) ?? "",
    (value) =>
      setSearch(
        (current) => {
          const next = new URLSearchParams(current);
          if (value === "") next.delete(name);
          else next.set(name, value);
          return next;
        },
        { replace: true },
      ),
  ];
}
