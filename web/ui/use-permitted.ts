import { useMay } from "../api/permissions.ts";
import type { MenuGroups } from "./menu.tsx";

/** The items of a menu that the role of the person may use. */
export function usePermitted(groups: MenuGroups): MenuGroups {
  const may = useMay();
  return groups
    .map((group) => group.filter(({ may: operation }) => operation === undefined || may(operation)))
    .filter((group) => group.length > 0);
}
