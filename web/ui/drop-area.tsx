import { type ReactNode, useState } from "react";

interface DropAreaProps {
  className: string;
  label?: string;
  onFiles: (files: readonly File[]) => void;
  children: ReactNode;
}

/** Accepts files dropped anywhere on it and highlights itself while files are dragged over. */
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
