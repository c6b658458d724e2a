import { Suspense } from "react";
import { Link } from "wouter";
import { useApprovals } from "../../api/approvals.ts";
import { lazyComponent } from "../../ui/lazy-component.ts";
import { Loaded, Skeleton } from "../../ui/states.tsx";

const WaitingItem = lazyComponent(() => import("./waiting-item.tsx"), "WaitingItem");

const SHOWN = 5;

/** Approvals, decided here. */
export function WaitingForYou() {
  const approvals = useApprovals({ mine: true });
  return (
    <section className="card" aria-label="Waiting for you">
      <header className="home-head">
        <h2>Waiting for you</h2>
        {(approvals.data?.length ?? 0) > 0 && (
          <span className="chip wait">
            {approvals.data?.length}
            {approvals.hasMore ? "+" : ""}
          </span>
        )}
        <span className="grow" />
        <Link href="/approvals" className="small">
          All approvals
        </Link>
      </header>
      <Loaded query={approvals} rows={2}>
        {(list) =>
          list.length === 0 ? (
            <p className="home-item small muted">Nothing waits for you.</p>
          ) : (
            <Suspense fallback={<Skeleton rows={2} />}>
              {list.slice(0, SHOWN).map((approval) => (
                <WaitingItem key={`${approval.taskId}/${approval.stepId}`} approval={approval} />
              ))}
            </Suspense>
          )
        }
      </Loaded>
    </section>
  );
}
