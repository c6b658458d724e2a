import { useMemo, useState } from "react";
import type { N8nPreview } from "../../api/n8n-import.ts";
import {
  countResults,
  matchesFilter,
  nextToCheck,
  type ReviewFilter,
  reviewOrder,
} from "../../flow/n8n-review.ts";
import { useShortcuts } from "../../ui/shortcuts.ts";
import { createTargets } from "./targets.ts";

export type Review = ReturnType<typeof useReview>;

/** The nodes of the list, the one that is open, and those that a person has checked. */
export function useReview(preview: N8nPreview) {
  const [checked, setChecked] = useState<ReadonlySet<string>>(new Set());
  const [filter, setFilter] = useState<ReviewFilter>("all");
  // Beside the list there is room for the first node; over it, a panel opens on request.
  const [opened, open] = useState<string | null | undefined>(() => (isWide() ? undefined : null));
  const nodes = useMemo(() => reviewOrder(preview.nodes), [preview]);
  const targets = useMemo(() => createTargets(preview), [preview]);
  const shown = nodes.filter((node) => matchesFilter(node, filter));
  const selected = opened === undefined ? nodes[0]?.name : (opened ?? undefined);

  const at = shown.findIndex(({ name }) => name === selected);
  const walk = (by: number): (() => void) | undefined => {
    const next = shown[at + by];
    return next === undefined ? undefined : () => open(next.name);
  };
  function close(): void {
    document.querySelector<HTMLElement>('.n8n-name[aria-current="true"]')?.focus();
    open(null);
  }
  useShortcuts({ j: () => walk(1)?.(), k: () => walk(-1)?.(), ...(!isWide() && { Escape: close }) });

  return {
    nodes,
    shown,
    targets,
    checked,
    filter,
    setFilter,
    counts: countResults(nodes, checked),
    node: nodes.find(({ name }) => name === selected),
    open,
    close,
    previous: walk(-1),
    next: walk(1),
    /** Opens the next one to check, so that the same button goes through all of them. */
    check(name: string, isRight: boolean): void {
      const now = new Set(checked);
      if (isRight) now.add(name);
      else now.delete(name);
      setChecked(now);
      if (isRight) open(nextToCheck(nodes, now, name) ?? name);
    },
  };
}

/** As in n8n-import.css. */
function isWide(): boolean {
  return matchMedia("(min-width: 1101px)").matches;
}
