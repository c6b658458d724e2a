import { type ReactNode, Suspense } from "react";
import { ApiError, messageOf } from "../api/api-error.ts";
import { lazyComponent } from "./lazy-component.ts";

export function Skeleton({ rows = 4, height = 44 }: { rows?: number; height?: number }) {
  return (
    <div className="stack tight" role="status" aria-busy="true" aria-label="Loading">
      {Array.from({ length: rows }, (_, row) => (
        <div key={row} className="skeleton" style={{ height }} />
      ))}
    </div>
  );
}

const OpenInWorkspace = lazyComponent(() => import("./open-in-workspace.tsx"), "OpenInWorkspace");

export function Failure({ error, retry }: { error: unknown; retry?: () => void }) {
  return (
    <div className="notice bad" role="alert">
      <span className="grow">{messageOf(error)}</span>
      {retry !== undefined && (
        <button type="button" className="btn tiny" onClick={retry}>
          Try again
        </button>
      )}
      {error instanceof ApiError && error.status === 403 && (
        <Suspense fallback={null}>
          <OpenInWorkspace />
        </Suspense>
      )}
    </div>
  );
}

export function Empty({
  title,
  children,
  action,
}: {
  title: string;
  children: ReactNode;
  action?: ReactNode;
}) {
  return (
    <div className="empty">
      <h2>{title}</h2>
      <p>{children}</p>
      {action}
    </div>
  );
}

export interface Loading<T> {
  data: T | undefined;
  error: unknown;
  refetch: () => unknown;
}

/** Renders a query: a skeleton while it loads, an error with a retry button, or its data. */
export function Loaded<T>({
  query,
  rows,
  children,
}: {
  query: Loading<T>;
  rows?: number;
  children: (data: T) => ReactNode;
}) {
  if (query.data !== undefined) return <>{children(query.data)}</>;
  if (query.error !== null)
    return isPermanent(query.error) ? (
      <Failure error={query.error} />
    ) : (
      <Failure error={query.error} retry={() => void query.refetch()} />
    );
  return <Skeleton rows={rows ?? 4} />;
}

/** A missing or forbidden record stays so; a retry does not help. */
function isPermanent(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 404 || error.status === 403);
}
