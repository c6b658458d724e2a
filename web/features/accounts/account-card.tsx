import type { ReactNode } from "react";
import "./sign-in.css";

/** The frame of every screen without a login. */
export function AccountCard({
  title,
  text,
  children,
}: {
  title: string;
  text?: ReactNode;
  children?: ReactNode;
}) {
  return (
    <main className="sign-in">
      <div className="card sign-in-card">
        <div className="brand">
          <i />
          Baton
        </div>
        <div>
          <h1>{title}</h1>
          {text !== undefined && <p className="muted small">{text}</p>}
        </div>
        {children}
      </div>
    </main>
  );
}
