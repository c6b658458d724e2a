export function pruneAll(modules: string): void;
