import { ChevronLeft, ChevronRight } from "lucide-react";
import type { LoopItem } from "./use-step-data.ts";

/** "Item 2 of 3", with the items before and after. */
export function ItemPager({ item: { index, count, onIndex } }: { item: LoopItem }) {
  return (
    <span className="item-pager small">
      <button
        type="button"
        className="btn ghost icon"
        aria-label="Previous item"
        disabled={index === 0}
        onClick={() => onIndex(index - 1)}
      >
        <ChevronLeft size={13} />
      </button>
      Item {index + 1} of {count}
      <button
        type="button"
        className="btn ghost icon"
        aria-label="Next item"
        disabled={index === count - 1}
        onClick={() => onIndex(index + 1)}
      >
        <ChevronRight size={13} />
      </button>
    </span>
  );
}
