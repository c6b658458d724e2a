import { createContext, type ReactNode, useContext } from "react";
import { neededRole, type Operation, useMay } from "../api/permissions.ts";

interface AllowedProps {
  to: Operation;
  children: ReactNode;
  /** For everyone else. */
  otherwise?: ReactNode;
}

/** Offers something only to people whose role may do it. */
export function Allowed({ to, children, otherwise = null }: AllowedProps) {
  const may = useMay();
  return may(to) ? children : otherwise;
}

const ReadOnlyContext = createContext(false);

/** Attributes of an editor that shows its text and takes none. */
export const READ_ONLY_EDITOR = { contenteditable: "false", "aria-readonly": "true", tabindex: "0" };

/** For editors that a disabled fieldset does not disable. */
export function useIsReadOnly(): boolean {
  return useContext(ReadOnlyContext);
}

/** Fields that everyone reads; their controls are disabled for a role that may not change them. */
export function ReadOnlyUnless({ may: operation, children }: { may: Operation; children: ReactNode }) {
  const isAllowed = useMay()(operation);
  return (
    <fieldset
      className="bare-fieldset"
      disabled={!isAllowed}
      title={isAllowed ? undefined : neededRole(operation)}
    >
      <ReadOnlyContext value={!isAllowed}>{children}</ReadOnlyContext>
    </fieldset>
  );
}
