import type { ReactNode } from "react";
import { useLocation } from "wouter";
import { useRole } from "../../api/accounts.ts";
import { neededRole, roleLabel } from "../../api/permissions.ts";
import { Screen } from "../../ui/screen.tsx";
import { Empty, Skeleton } from "../../ui/states.tsx";
import { operationOf } from "./screen-access.ts";
import { useMayOpen } from "./use-may-open.ts";

/** The screen of the address, or why the role of the person cannot open it. */
export function RestrictedScreen({ children }: { children: ReactNode }) {
  const [location] = useLocation();
  const role = useRole();
  const mayOpen = useMayOpen();
  const operation = operationOf(location);
  if (operation === undefined || mayOpen(location)) return children;
  return (
    <Screen title="No access">
      <div className="page">
        {role === undefined ? (
          <Skeleton rows={4} />
        ) : (
          <Empty title="Your role cannot open this screen">
            {neededRole(operation)} Yours is {roleLabel(role)}. Ask an admin of the workspace to change it.
          </Empty>
        )}
      </div>
    </Screen>
  );
}
