export function finishService(file: string): void;
