import { Component, type ReactNode } from "react";

/** The only class of the page: React has no function component for error boundaries. */
export class ErrorBoundary extends Component<{ children: ReactNode }, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError(): { failed: boolean } {
    return { failed: true };
  }

  override render(): ReactNode {
    if (!this.state.failed) return this.props.children;
    return (
      <div className="page" role="alert">
        <h1>Something went wrong</h1>
        <p>Saved changes are safe, and drafts are kept in this browser. Reload the page to continue.</p>
        <div>
          <button type="button" className="btn go" onClick={() => location.reload()}>
            Reload
          </button>
        </div>
      </div>
    );
  }
}
