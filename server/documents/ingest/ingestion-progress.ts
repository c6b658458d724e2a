export interface IngestionProgress {
  pages: number;
  pagesDone: number;
  chunks: number;
  chunksDone: number;
}

export function noProgress(): IngestionProgress {
  return { pages: 0, pagesDone: 0, chunks: 0, chunksDone: 0 };
}
