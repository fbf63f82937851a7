// Keeps a fault of one view from leaving an empty page.
import { Component, type ReactNode } from "react";
import { said } from "./net";

export class Guard extends Component<{ children: ReactNode }, { fault: string }> {
  override state = { fault: "" };
  static getDerivedStateFromError(error: unknown) {
    return { fault: said(error) };
  }
  override render() {
    if (!this.state.fault) return this.props.children;
    return (
      <main className="faulty">
        <div className="failure" role="alert">
          <p>This view has a fault: {this.state.fault}</p>
          <button type="button" className="secondary" onClick={() => location.reload()}>
            Load the page again
          </button>
        </div>
      </main>
    );
  }
}
