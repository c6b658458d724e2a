import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import type { SearchResult } from "../../contract/search.ts";
import { request } from "./client.ts";

export type { SearchResult };

const PAUSE_MS = 150;
const LIMIT = "30";

/** Records that match, searched by the service once typing pauses. The last results stay until the next arrive. */
export function useSearch(text: string) {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  const query = useQuery({
    queryKey: ["search", settled],
    queryFn: async () => {
      const search = new URLSearchParams({ q: settled, limit: LIMIT });
      return (await request("search", `/api/search?${search.toString()}`)).results;
    },
    enabled: settled !== "",
    placeholderData: keepPreviousData,
    staleTime: 0,
  });
  return {
    results: text === "" ? [] : (query.data ?? []),
    error: query.error,
    isSearching: text !== "" && (text !== settled || query.isFetching),
  };
}
