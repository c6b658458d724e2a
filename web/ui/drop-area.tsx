import { type ReactNode, useState } from "react";

interface DropAreaProps {
  className: string;
  label?: string;
  onFiles: (files: readonly File[]) => void;
  children: ReactNode;
}

/** Takes files that are dropped anywhere on it, and says so while they hang over it. */
export function DropArea({ className, label, onFiles, children }: DropAreaProps) {
  const [over, setOver] = useState(false);
  return (
    <section
      className={`${className}${over ? " over" : ""}`}
      aria-label={label}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        onFiles([...event.dataTransfer.files]);
      }}
    >
      {children}
    </section>
  );
}
