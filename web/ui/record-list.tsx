import type { ReactNode } from "react";
import type { PagedList } from "../api/pages.ts";
import { Failure, Loaded } from "./states.tsx";

interface RecordListProps<Item> {
  list: PagedList<Item>;
  /** Shown for an empty list: what it is for and how to add the first item. */
  empty: ReactNode;
  children: (items: Item[]) => ReactNode;
}

/** A paged list: loading, error, empty, or its items with a button for the next page. */
export function RecordList<Item>({ list, empty, children }: RecordListProps<Item>) {
  return (
    <Loaded query={list}>
      {(items) =>
        items.length === 0 ? (
          empty
        ) : (
          <>
            {children(items)}
            <ShowMore list={list} />
          </>
        )
      }
    </Loaded>
  );
}

export function ShowMore({ list }: { list: Omit<PagedList<unknown>, "data"> }) {
  if (!list.hasMore) return null;
  return (
    <div className="stack tight">
      {list.error !== null && <Failure error={list.error} />}
      <div>
        <button type="button" className="btn" disabled={list.isLoadingMore} onClick={list.loadMore}>
          {list.isLoadingMore ? "Loading …" : "Show more"}
        </button>
      </div>
    </div>
  );
}
