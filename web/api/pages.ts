import { type UseInfiniteQueryResult, useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { request } from "./client.ts";
import { type Operation, useMay } from "./permissions.ts";
import { LIST_FIELDS, type ListFields } from "./list-fields.ts";
import type { ItemOf, ListNoun } from "./responses.ts";

/** A paged list of the service. Its noun names the field of the response, with few exceptions, and the cache key that mutations invalidate. */
export interface ListSource<Noun extends ListNoun> {
  noun: Noun;
  path: string;
  filter?: Record<string, string | undefined>;
  /** Not requested for a role that may not read it. */
  operation?: Operation;
}

/** Whether there is more to load, and how. */
interface Paging {
  hasMore: boolean;
  isLoadingMore: boolean;
  loadMore: () => void;
}

/** The pages loaded so far, as one list. */
export interface PagedList<Item> extends Paging {
  data: Item[] | undefined;
  error: unknown;
  refetch: () => unknown;
}

/** Without `cancelRefetch: false` a click on “Load more” would abort a poll that reads the loaded pages again. */
export function pagingOf(
  query: Pick<UseInfiniteQueryResult, "hasNextPage" | "isFetchingNextPage" | "fetchNextPage">,
): Paging {
  return {
    hasMore: query.hasNextPage,
    isLoadingMore: query.isFetchingNextPage,
    loadMore: () => void query.fetchNextPage({ cancelRefetch: false }),
  };
}

interface Page<Item> {
  items: Item[];
  nextCursor: string | null;
}

const PAGE_SIZE = 50;
const MAX_PAGE_SIZE = 200;
/** `useAll` stops after 10,000 items: a longer list needs a search, not a menu. */
const MAX_PAGES = 50;
/** Longer lists are not polled: every poll reads all loaded pages again. */
const MAX_POLLED_PAGES = 4;

async function readPage<Noun extends ListNoun>(
  source: ListSource<Noun>,
  limit: number,
  cursor: string | null,
): Promise<Page<ItemOf<Noun>>> {
  const search = new URLSearchParams({ limit: String(limit) });
  for (const [name, value] of Object.entries(source.filter ?? {}))
    if (value !== undefined && value !== "") search.set(name, value);
  if (cursor !== null) search.set("cursor", cursor);
  const response: Record<string, unknown> = await request(source.noun, `${source.path}?${search.toString()}`);
  return {
    items: response[LIST_FIELDS[source.noun as keyof ListFields] ?? source.noun] as ItemOf<Noun>[],
    nextCursor: (response["nextCursor"] ?? null) as string | null,
  };
}

function keyOf({ noun, path, filter }: ListSource<ListNoun>): readonly unknown[] {
  return [noun, path, filter ?? {}];
}

interface PollOptions<Item> {
  /** Time until the list is read again; a function may stop the polling by returning false. */
  pollMs?: number | ((items: readonly Item[]) => number | false);
}

interface PagesOptions<Item> extends PollOptions<Item> {
  /** Shows the cached list and refetches it each time a component mounts. */
  alwaysFresh?: boolean;
}

function intervalOf<Item>(pollMs: PollOptions<Item>["pollMs"], items: readonly Item[]): number | false {
  return typeof pollMs === "function" ? pollMs(items) : (pollMs ?? false);
}

export function usePages<Noun extends ListNoun>(
  source: ListSource<Noun>,
  { pollMs, alwaysFresh = false }: PagesOptions<ItemOf<Noun>> = {},
): PagedList<ItemOf<Noun>> {
  const may = useMay();
  const query = useInfiniteQuery({
    enabled: source.operation === undefined || may(source.operation),
    queryKey: [...keyOf(source), "pages"],
    queryFn: ({ pageParam }) => readPage(source, PAGE_SIZE, pageParam),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
    ...(alwaysFresh ? { staleTime: 0 } : {}),
    select: (data) => data.pages.flatMap(({ items }) => items),
    refetchInterval: ({ state }) => {
      const pages = state.data?.pages ?? [];
      if (pages.length > MAX_POLLED_PAGES) return false;
      return intervalOf(
        pollMs,
        pages.flatMap(({ items }) => items),
      );
    },
  });
  return {
    data: query.data,
    error: query.error,
    refetch: query.refetch,
    ...pagingOf(query),
  };
}

/** The whole list, for menus and for showing names in place of ids. */
export function useAll<Noun extends ListNoun>(
  source: ListSource<Noun>,
  { pollMs }: PollOptions<ItemOf<Noun>> = {},
) {
  const may = useMay();
  return useQuery({
    enabled: source.operation === undefined || may(source.operation),
    queryKey: [...keyOf(source), "all"],
    queryFn: () => readAll(source),
    refetchInterval: ({ state }) => intervalOf(pollMs, state.data ?? []),
  });
}

async function readAll<Noun extends ListNoun>(source: ListSource<Noun>): Promise<ItemOf<Noun>[]> {
  const items: ItemOf<Noun>[] = [];
  let cursor: string | null = null;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const read: Page<ItemOf<Noun>> = await readPage(source, MAX_PAGE_SIZE, cursor);
    items.push(...read.items);
    cursor = read.nextCursor;
    if (cursor === null) break;
  }
  return items;
}
