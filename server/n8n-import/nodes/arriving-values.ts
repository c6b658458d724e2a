import { type Data, firstOf, namesOf, pathText, scriptOf } from "../data/data.ts";

export interface ArrivingValues {
  /** All items that arrive, for a field that takes a list. */
  items: () => unknown;
  /** Reports items whose fields may have other names here. */
  checkItems: () => void;
  /** Reports fields that the data has in n8n only. */
  checkWhole: () => void;
  itemsScript: () => string;
  /** The file that arrives as this binary property; undefined when no single step gives it. */
  file: (property: string) => unknown;
  /** The data that arrives, as one object. */
  current: () => unknown;
  currentScript: () => string;
}

export function createArrivingValues(
  arriving: readonly Data[],
  check: (sentence: string) => void,
): ArrivingValues {
  const [only] = arriving;
  const isSingle = arriving.length === 1;

  function checkItems(): void {
    const unsure = arriving.filter(
      ({ exact, path, doubtOf }) => !exact || (path[0] === "steps" && doubtOf?.([]) !== undefined),
    );
    if (unsure.length > 0) check(`Check the items that arrive from ${namesOf(unsure) || "before"}.`);
  }

  function checkWhole(): void {
    const doubt = arriving.map(({ doubtOf }) => doubtOf?.([])).find((each) => each !== undefined);
    if (doubt !== undefined) check(doubt);
  }

  function oneOf(data: Data): Data {
    if (data.shape === "list") check(`Takes the first item of ${namesOf([data]) || "the list"}.`);
    return firstOf(data);
  }

  function itemsScript(): string {
    checkItems();
    if (only === undefined) return "[]";
    if (isSingle && only.shape === "list") return scriptOf(only);
    return `[${arriving.map(scriptOf).join(", ")}].flat().filter((each) => each != null)`;
  }

  function currentScript(): string {
    checkWhole();
    return wholeScript();
  }

  function wholeScript(): string {
    const scripts = [...new Set(arriving.map((data) => scriptOf(oneOf(data))))];
    return scripts.length > 1 ? `(${scripts.join(" ?? ")})` : (scripts[0] ?? "null");
  }

  return {
    checkItems,
    checkWhole,
    itemsScript,
    currentScript,
    items() {
      checkItems();
      if (only === undefined) return [];
      const path = isSingle && only.mayBeList !== true ? pathText(only) : undefined;
      if (path === undefined) return `{{= ${itemsScript()} }}`;
      return only.shape === "list" ? `{{${path}}}` : [`{{${path}}}`];
    },
    file(property) {
      const path = isSingle && only?.file === property ? pathText({ ...only, places: undefined }) : undefined;
      return path === undefined ? undefined : `{{${path}}}`;
    },
    current() {
      if (only === undefined) return null;
      const path = isSingle ? pathText(oneOf(only)) : undefined;
      return path === undefined ? `{{= ${wholeScript()} }}` : `{{${path}}}`;
    },
  };
}
