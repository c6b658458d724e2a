import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { call } from "./client.ts";

/** A list of the service: what it is called in the answer, where it stands, and what narrows it. */
export interface ListSource {
  noun: string;
  path: string;
  filter?: Record<string, string | undefined>;
}

/** The part of a list that has been asked for so far. */
export interface PagedList<Item> {
  data: Item[] | undefined;
  error: unknown;
  refetch: () => unknown;
  hasMore: boolean;
  isLoadingMore: boolean;
  loadMore: () => void;
}

interface Page<Item> {
  items: Item[];
  nextCursor: string | null;
}

const PAGE = 50;
const LARGEST_PAGE = 200;
/** Whoever picks from more than these picks by typing, not by looking. */
const MOST_PAGES = 50;
/** More pages than these are not read again and again by themselves. */
const WATCHED_PAGES = 4;

async function readPage<Item>(source: ListSource, limit: number, cursor: string | null): Promise<Page<Item>> {
  const search = new URLSearchParams({ limit: String(limit) });
  for (const [name, value] of Object.entries(source.filter ?? {}))
    if (value !== undefined && value !== "") search.set(name, value);
  if (cursor !== null) search.set("cursor", cursor);
  const answer = await call<Record<string, unknown>>(`${source.path}?${search.toString()}`);
  return {
    items: answer[source.noun] as Item[],
    nextCursor: (answer["nextCursor"] ?? null) as string | null,
  };
}

function keyOf({ noun, path, filter }: ListSource): readonly unknown[] {
  return [noun, path, filter ?? {}];
}

interface PagesOptions<Item> extends WatchOptions<Item> {
  /** What is known already is shown, and asked for again each time it comes into sight. */
  alwaysFresh?: boolean;
}

interface WatchOptions<Item> {
  /** How long until the list is read again by itself, as long as that is worth it. */
  watchMs?: number | ((items: readonly Item[]) => number | false);
}

function waitOf<Item>(watchMs: WatchOptions<Item>["watchMs"], items: readonly Item[]): number | false {
  return typeof watchMs === "function" ? watchMs(items) : (watchMs ?? false);
}

export function usePages<Item>(
  source: ListSource,
  { watchMs, alwaysFresh = false }: PagesOptions<Item> = {},
): PagedList<Item> {
  const query = useInfiniteQuery({
    queryKey: [...keyOf(source), "pages"],
    queryFn: ({ pageParam }) => readPage<Item>(source, PAGE, pageParam),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
    ...(alwaysFresh ? { staleTime: 0 } : {}),
    select: (data) => data.pages.flatMap(({ items }) => items),
    refetchInterval: ({ state }) => {
      const pages = state.data?.pages ?? [];
      if (pages.length > WATCHED_PAGES) return false;
      return waitOf(
        watchMs,
        pages.flatMap(({ items }) => items),
      );
    },
  });
  return {
    data: query.data,
    error: query.error,
    refetch: query.refetch,
    hasMore: query.hasNextPage,
    isLoadingMore: query.isFetchingNextPage,
    loadMore: () => void query.fetchNextPage({ cancelRefetch: false }),
  };
}

/** All of a list, for choosing one of it and for showing names in place of ids. */
export function useAll<Item>(source: ListSource, { watchMs }: WatchOptions<Item> = {}) {
  return useQuery({
    queryKey: [...keyOf(source), "all"],
    queryFn: () => readAll<Item>(source),
    refetchInterval: ({ state }) => waitOf(watchMs, state.data ?? []),
  });
}

async function readAll<Item>(source: ListSource): Promise<Item[]> {
  const items: Item[] = [];
  let cursor: string | null = null;
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const read: Page<Item> = await readPage<Item>(source, LARGEST_PAGE, cursor);
    items.push(...read.items);
    cursor = read.nextCursor;
    if (cursor === null) break;
  }
  return items;
}
