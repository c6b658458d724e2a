import { useSearchParams } from "wouter";

/** A filter that stands in the address, so that what a person looks at can be sent to somebody and comes back. */
export function useFilter(name: string): [value: string, set: (value: string) => void] {
  const [search, setSearch] = useSearchParams();
  return [
    search.get(name) ?? "",
    (value) =>
      setSearch(
        (before) => {
          const next = new URLSearchParams(before);
          if (value === "") next.delete(name);
          else next.set(name, value);
          return next;
        },
        { replace: true },
      ),
  ];
}
