import { useMay } from "../../api/permissions.ts";
import { operationOf } from "./screen-access.ts";

/** Whether the role of the person may read what a screen shows. */
export function useMayOpen(): (location: string) => boolean {
  const may = useMay();
  return (location) => {
    const operation = operationOf(location);
    return operation === undefined || may(operation);
  };
}
