import { type Addable, CATEGORIES, type Found } from "./search-steps.ts";

export type PickerCategory = Addable["category"] | "all";

export interface PickerGroup {
  title: string;
  found: readonly Found[];
}

interface PickerFilter {
  text: string;
  category: PickerCategory;
  /** Step types that usually follow here. */
  suggested: readonly string[];
  /** Step types that were added last. */
  recent: readonly string[];
}

const KINDS_OF_RESULTS = ["Steps", "Apps", "My workspace", "Triggers"] as const;

function resultKind({ category }: Addable): (typeof KINDS_OF_RESULTS)[number] {
  if (category === "apps") return "Apps";
  if (category === "trigger") return "Triggers";
  return category === "workspace" ? "My workspace" : "Steps";
}

/** Before typing: what fits here and what was used last. A search that finds nothing still offers the HTTP request. */
export function pickerGroups(
  all: readonly Addable[],
  found: readonly Found[],
  { text, category, suggested, recent }: PickerFilter,
): PickerGroup[] {
  const ofTypes = (types: readonly string[]): Found[] =>
    types.flatMap((type) => {
      const entry = all.find(({ key }) => key === type);
      return entry === undefined ? [] : [{ entry, score: 0, actions: entry.app?.actions ?? [] }];
    });
  if (found.length === 0) return [{ title: "Instead", found: ofTypes(["http", "transform"]) }];
  const inCategory = category === "all" ? found : found.filter(({ entry }) => entry.category === category);
  if (text.trim() !== "")
    // The group of the best match comes first, so that Enter inserts it.
    return KINDS_OF_RESULTS.map((title) => ({
      title,
      found: inCategory.filter(({ entry }) => resultKind(entry) === title),
    }))
      .filter((group) => group.found.length > 0)
      .toSorted((a, b) => (b.found[0]?.score ?? 0) - (a.found[0]?.score ?? 0));
  const byCategory = CATEGORIES.map(([key, title]) => ({
    title,
    found: inCategory.filter(({ entry }) => entry.category === key),
  }));
  const first = [
    { title: "Suggested", found: ofTypes(suggested) },
    { title: "Recent", found: ofTypes(recent.filter((type) => !suggested.includes(type))) },
  ];
  return [...(category === "all" ? first : []), ...byCategory].filter((group) => group.found.length > 0);
}

export function nextCategory(category: PickerCategory, by: 1 | -1): PickerCategory {
  const keys: PickerCategory[] = ["all", ...CATEGORIES.map(([key]) => key)];
  return keys[(keys.indexOf(category) + by + keys.length) % keys.length] ?? "all";
}
