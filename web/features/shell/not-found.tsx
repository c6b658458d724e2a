import { Link } from "wouter";
import { Screen } from "../../ui/screen.tsx";
import { Empty } from "../../ui/states.tsx";

export function NotFound() {
  return (
    <Screen title="Page not found">
      <div className="page">
        <Empty
          title="This page does not exist"
          action={
            <Link href="/" className="btn go">
              Go to Home
            </Link>
          }
        >
          The link may be incomplete, or what it pointed to was deleted.
        </Empty>
      </div>
    </Screen>
  );
}
