interface DiscardQuestionProps {
  onKeep: () => void;
  onDiscard: () => void;
}

/** Asked before a form with entries is closed without saving. */
export function DiscardQuestion({ onKeep, onDiscard }: DiscardQuestionProps) {
  return (
    <div className="notice wait" role="alert">
      <span className="grow">Discard what you entered?</span>
      <button type="button" className="btn" autoFocus onClick={onKeep}>
        Keep editing
      </button>
      <button type="button" className="btn danger" onClick={onDiscard}>
        Discard
      </button>
    </div>
  );
}
