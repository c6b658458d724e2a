import { Component, type ReactNode } from "react";

/** React has no function for this: the one class of the page, so that a fault shows a sentence instead of nothing. */
export class CrashGuard extends Component<{ children: ReactNode }, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError(): { failed: boolean } {
    return { failed: true };
  }

  override render(): ReactNode {
    if (!this.state.failed) return this.props.children;
    return (
      <div className="page" role="alert">
        <h1>The page stumbled</h1>
        <p>What you saved is safe, and drafts are kept in this browser. Load the page again to go on.</p>
        <div>
          <button type="button" className="btn go" onClick={() => location.reload()}>
            Load again
          </button>
        </div>
      </div>
    );
  }
}
